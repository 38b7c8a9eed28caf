// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds the most similar known word to a misspelled one, for error messages.
#ifndef VB_BASE_NEAREST_WORD_H
#define VB_BASE_NEAREST_WORD_H

#include <stddef.h>

/// The one of the `n` words of `known` that `word` was most likely meant to be, or null where none
/// is near. Counts inserted, missing, wrong and swapped neighboring letters, regardless of case;
/// near is up to a third of the letters of the longer word, at least one. Of equals the first. A
/// null in `known` is passed over. The result is an element of `known`.
const char *vb_nearest_word(const char *word, const char *const *known, size_t n);

/// Frees a list of `n` texts, which may be null where `n` is 0.
void vb_texts_destroy(char **texts, size_t n);

#endif
