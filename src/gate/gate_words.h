// SPDX-License-Identifier: GPL-3.0-or-later
/// The words of a gate, as scripts say them and records tell them. Each table is in the order of
/// its enumeration (study/study.h) and ends with a null.
#ifndef VB_GATE_GATE_WORDS_H
#define VB_GATE_GATE_WORDS_H

#include "study/study.h"

extern const char *const vb_measure_words[];
extern const char *const vb_combination_words[];
extern const char *const vb_comparator_words[];

#endif
