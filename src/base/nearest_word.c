// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/nearest_word.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// Longer words have no near ones.
enum { LONGEST = 63 };

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static int lower(char letter) {
  return tolower((unsigned char)letter);
}

/// Edits between words of at most LONGEST letters; a swap of neighbors counts as one.
static size_t edit_distance(const char *a, size_t n_a, const char *b, size_t n_b) {
  size_t rows[3][LONGEST + 1]; // the rows i - 2, i - 1 and i of the table, by i % 3
  for (size_t j = 0; j <= n_b; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= n_a; i++) {
    size_t *row = rows[i % 3];
    const size_t *above = rows[(i + 2) % 3];
    const size_t *two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= n_b; j++) {
      int p = lower(a[i - 1]);
      int q = lower(b[j - 1]);
      row[j] = least(above[j - 1] + (p != q), least(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && p == lower(b[j - 2]) && q == lower(a[i - 2]))
        row[j] = least(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[n_a % 3][n_b];
}

const char *vb_nearest_word(const char *word, const char *const *known, size_t n) {
  size_t length = strlen(word);
  const char *nearest = NULL;
  size_t nearest_distance = LONGEST;
  if (length > LONGEST)
    return NULL;
  for (size_t i = 0; i < n; i++) {
    size_t known_length = known[i] ? strlen(known[i]) : LONGEST + 1;
    if (known_length > LONGEST)
      continue;
    size_t shorter = least(length, known_length);
    size_t longer = length + known_length - shorter;
    size_t limit = longer < 3 ? 1 : longer / 3;
    size_t distance = edit_distance(word, length, known[i], known_length);
    // Words that share no letter are not near, however short they are.
    if (distance <= limit && distance < shorter && distance < nearest_distance) {
      nearest = known[i];
      nearest_distance = distance;
    }
  }
  return nearest;
}

void vb_texts_destroy(char **texts, size_t n) {
  for (size_t i = 0; i < n; i++)
    free(texts[i]);
  free(texts);
}
