// SPDX-License-Identifier: GPL-3.0-or-later
/// Texts in buffers of a fixed size.
#ifndef VB_BASE_TEXT_H
#define VB_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Adds to the text in a buffer of `size` bytes what printf would print, or as much of it as fits.
/// False where that is not all.
bool vb_text_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// The FNV-1a hash of a text.
uint64_t vb_text_hash(const char *text);

#ifdef __cplusplus
}
#endif

#endif
