// SPDX-License-Identifier: GPL-3.0-or-later
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A pivot below this share of the scaled block, whose entries are of size one, is rounding.
static const double singular = 1e-14;
/// Of Bunch and Parlett 1971: with it growth is least, (1 + sqrt 17)/8.
static const double alpha = 0.6403882032022076;

/// The root: a bone on a link to the world or a driver, or else the first. Writes how many such
/// links there are.
static int32_t find_root(const ar_links *links, size_t *n_grounded) {
  int32_t root = 0;
  *n_grounded = 0;
  for (size_t i = 0; i < links->n; i++)
    if (links->link[i].bone[1] < 0) {
      root = links->link[i].bone[0];
      ++*n_grounded;
    }
  return root;
}

/// Lists, for each bone, the links at it: those of bone k are at[first[k]] to at[first[k + 1] - 1].
static void list_links(const ar_links *links, size_t *first, int32_t *at) {
  size_t n = links->body->n_bones;
  for (size_t i = 0; i < links->n; i++)
    for (int k = 0; k < 2; k++)
      if (links->link[i].bone[k] >= 0)
        first[links->link[i].bone[k] + 2]++;
  for (size_t k = 2; k < n + 2; k++)
    first[k] += first[k - 1];
  for (size_t i = 0; i < links->n; i++)
    for (int k = 0; k < 2; k++)
      if (links->link[i].bone[k] >= 0)
        at[first[links->link[i].bone[k] + 1]++] = (int32_t)i;
}

/// Walks from the root; returns how many bones were reached, or 0 where one is reached twice.
static size_t walk(ar_tree *t, const ar_links *links, int32_t root, const size_t *first,
                   const int32_t *at) {
  size_t found = 1;
  t->order[0] = root;
  for (size_t next = 0; next < found; next++) {
    int32_t bone = t->order[next];
    for (size_t j = first[bone]; j < first[bone + 1]; j++) {
      const ar_link *link = &links->link[at[j]];
      int side = link->bone[0] == bone ? 1 : 0; // the other one
      int32_t other = link->bone[side];
      if (at[j] == t->branch[bone].link)
        continue;
      if (other < 0) {
        t->branch[bone].link = at[j];
        continue;
      }
      if (other == root || t->branch[other].parent >= 0)
        return 0;
      t->branch[other].parent = bone;
      t->branch[other].link = at[j];
      t->branch[other].side = side;
      t->order[found++] = other;
    }
  }
  return found;
}

vb_status ar_tree_create(const ar_links *links, ar_tree *out, vb_error *error) {
  size_t n = links->body->n_bones, n_grounded;
  int32_t root = find_root(links, &n_grounded);
  *out = (ar_tree){0};
  if (n == 0 || n_grounded > 1 || links->n != n - 1 + n_grounded)
    return VB_OK;
  ar_tree t = {.n = n};
  size_t *first = calloc(n + 3, sizeof *first);
  int32_t *at = calloc(2 * links->n + 1, sizeof *at);
  t.order = calloc(n, sizeof *t.order);
  t.branch = calloc(n, sizeof *t.branch);
  bool well = first && at && t.order && t.branch, whole = false;
  if (well) {
    for (size_t k = 0; k < n; k++)
      t.branch[k].parent = t.branch[k].link = -1;
    list_links(links, first, at);
    whole = walk(&t, links, root, first, at) == n;
  }
  free(first);
  free(at);
  if (!whole)
    ar_tree_clear(&t);
  *out = t;
  return well ? VB_OK : vb_error_memory(error);
}

void ar_tree_clear(ar_tree *t) {
  free(t->order);
  free(t->branch);
  *t = (ar_tree){0};
}

void ar_tree_begin(ar_tree *t, const ar_links *links, const ar_pose *bones) {
  for (size_t k = 0; k < t->n; k++) {
    ar_branch *b = &t->branch[k];
    double rows[2][AR_BRANCH_ROWS * 6] = {{0}}, *const part[2] = {rows[0], rows[1]};
    memset(b->matrix, 0, sizeof b->matrix);
    memset(b->coupling, 0, sizeof b->coupling);
    b->n_rows = 0;
    if (b->link < 0)
      continue;
    b->n_rows = 3 + (size_t)links->link[b->link].n_values;
    ar_links_part(links, (size_t)b->link, bones, part, 6);
    for (size_t i = 0; i < b->n_rows; i++)
      for (size_t j = 0; j < 6; j++) {
        b->matrix[6 + i][j] = b->matrix[j][6 + i] = rows[b->side][6 * i + j];
        b->coupling[6 + i][j] = rows[1 - b->side][6 * i + j];
      }
  }
}

/// A block with seven right sides, in units in which its diagonal and its rows are 1.
typedef struct ar_block_system {
  size_t n;
  double a[AR_BRANCH][AR_BRANCH];
  double right[AR_BRANCH][AR_COLUMNS];
  double unit[AR_BRANCH];
  size_t unknown[AR_BRANCH]; ///< of each row, as pivots exchange them
} ar_block_system;

static void scale_block(const ar_branch *b, ar_block_system *s) {
  memset(s, 0, sizeof *s);
  s->n = 6 + b->n_rows;
  for (size_t i = 0; i < 6; i++)
    s->unit[i] = 1 / sqrt(fmax(fabs(b->matrix[i][i]), 1e-300));
  for (size_t i = 6; i < s->n; i++) {
    double square = 0;
    for (size_t j = 0; j < 6; j++)
      square += b->matrix[i][j] * s->unit[j] * b->matrix[i][j] * s->unit[j];
    s->unit[i] = square > 0 ? 1 / sqrt(square) : 1;
  }
  for (size_t i = 0; i < s->n; i++) {
    s->unknown[i] = i;
    for (size_t j = 0; j < s->n; j++)
      s->a[i][j] = s->unit[i] * s->unit[j] * b->matrix[i][j];
    for (size_t j = 0; j < 6; j++)
      s->right[i][j] = s->unit[i] * b->coupling[i][j];
    s->right[i][6] = s->unit[i] * b->solved[i][6];
  }
}

/// Exchanges the rows and columns i and j.
static void exchange(ar_block_system *s, size_t i, size_t j) {
  double row[AR_BRANCH], right[AR_COLUMNS];
  size_t unknown = s->unknown[i];
  if (i == j)
    return;
  memcpy(row, s->a[i], sizeof row);
  memcpy(s->a[i], s->a[j], sizeof row);
  memcpy(s->a[j], row, sizeof row);
  memcpy(right, s->right[i], sizeof right);
  memcpy(s->right[i], s->right[j], sizeof right);
  memcpy(s->right[j], right, sizeof right);
  for (size_t k = 0; k < s->n; k++) {
    double value = s->a[k][i];
    s->a[k][i] = s->a[k][j];
    s->a[k][j] = value;
  }
  s->unknown[i] = s->unknown[j];
  s->unknown[j] = unknown;
}

/// Brings the next pivot to row k (Bunch and Parlett 1971); returns its size, or 0 where all that
/// is left is rounding.
static size_t choose_pivot(ar_block_system *s, size_t k) {
  size_t p = k, row = k, column = k;
  double diagonal = 0, beside = 0;
  for (size_t i = k; i < s->n; i++) {
    if (fabs(s->a[i][i]) > diagonal) {
      diagonal = fabs(s->a[i][i]);
      p = i;
    }
    for (size_t j = k; j < i; j++)
      if (fabs(s->a[i][j]) > beside) {
        beside = fabs(s->a[i][j]);
        row = i;
        column = j;
      }
  }
  if (!(fmax(diagonal, beside) > singular)) // also where there is no number
    return 0;
  if (diagonal >= alpha * beside) {
    exchange(s, k, p);
    return 1;
  }
  exchange(s, k, column);
  exchange(s, k + 1, row);
  return 2;
}

/// Subtracts f times row p from row i: all of it, as what was eliminated is not read again, and
/// loops of constant length are vectors.
static void subtract(ar_block_system *s, size_t i, size_t p, double f) {
  for (size_t j = 0; j < AR_BRANCH; j++)
    s->a[i][j] -= f * s->a[p][j];
  for (size_t j = 0; j < AR_COLUMNS; j++)
    s->right[i][j] -= f * s->right[p][j];
}

/// Eliminates; writes the sizes of the pivots at their rows and how many of their eigenvalues are
/// negative. Returns false where the block is singular.
static bool eliminate(ar_block_system *s, size_t size[AR_BRANCH], size_t *negative) {
  *negative = 0;
  for (size_t k = 0; k < s->n; k += size[k]) {
    size[k] = choose_pivot(s, k);
    if (size[k] == 0)
      return false;
    if (size[k] == 1) {
      *negative += s->a[k][k] < 0;
      for (size_t i = k + 1; i < s->n; i++)
        subtract(s, i, k, s->a[i][k] / s->a[k][k]);
      continue;
    }
    double a = s->a[k][k], b = s->a[k][k + 1], c = s->a[k + 1][k + 1], det = a * c - b * b;
    ++*negative; // of the determinant's sign: one of each
    for (size_t i = k + 2; i < s->n; i++) {
      double u = s->a[i][k], v = s->a[i][k + 1];
      subtract(s, i, k, (c * u - b * v) / det);
      subtract(s, i, k + 1, (a * v - b * u) / det);
    }
  }
  return true;
}

/// The seven solutions, from the last pivot to the first.
static void substitute(ar_block_system *s, const size_t size[AR_BRANCH]) {
  for (size_t end = s->n; end > 0;) {
    size_t k = end > 1 && size[end - 1] == 0 ? end - 2 : end - 1;
    for (size_t i = k; i < end; i++)
      for (size_t j = end; j < s->n; j++)
        for (size_t c = 0; c < AR_COLUMNS; c++)
          s->right[i][c] -= s->a[i][j] * s->right[j][c];
    double a = s->a[k][k], b = end - k == 2 ? s->a[k][k + 1] : 0;
    double d = end - k == 2 ? s->a[k + 1][k + 1] : 1, det = a * d - b * b;
    for (size_t c = 0; c < AR_COLUMNS; c++) {
      double u = s->right[k][c], v = end - k == 2 ? s->right[k + 1][c] : 0;
      s->right[k][c] = (d * u - b * v) / det;
      if (end - k == 2)
        s->right[k + 1][c] = (a * v - b * u) / det;
    }
    end = k;
  }
}

/// Solves a branch's block. Returns false where it is singular.
static bool solve_block(ar_branch *b, size_t *negative) {
  ar_block_system s;
  size_t size[AR_BRANCH] = {0};
  scale_block(b, &s);
  if (!eliminate(&s, size, negative))
    return false;
  substitute(&s, size);
  for (size_t i = 0; i < s.n; i++)
    for (size_t c = 0; c < AR_COLUMNS; c++)
      b->solved[s.unknown[i]][c] = s.unit[s.unknown[i]] * s.right[i][c];
  return true;
}

/// Takes what a branch leaves of its parent's block.
static void pass_on(const ar_branch *b, ar_branch *parent) {
  for (size_t k = 0; k < 6 + b->n_rows; k++)
    for (size_t i = 0; i < 6; i++) {
      for (size_t j = 0; j < 6; j++)
        parent->matrix[i][j] -= b->coupling[k][i] * b->solved[k][j];
      parent->solved[i][6] -= b->coupling[k][i] * b->solved[k][6];
    }
}

bool ar_tree_solve(ar_tree *t, const ar_links *links, double *right, bool *least) {
  *least = true;
  for (size_t k = 0; k < t->n; k++) {
    ar_branch *b = &t->branch[k];
    for (size_t i = 0; i < 6; i++)
      b->solved[i][6] = right[6 * k + i];
    for (size_t i = 0; i < b->n_rows; i++)
      b->solved[6 + i][6] = right[6 * t->n + links->link[b->link].row + i];
  }
  for (size_t k = t->n; k-- > 0;) {
    ar_branch *b = &t->branch[t->order[k]];
    size_t negative;
    if (!solve_block(b, &negative))
      return false;
    *least = *least && negative == b->n_rows;
    if (b->parent >= 0)
      pass_on(b, &t->branch[b->parent]);
  }
  for (size_t k = 0; k < t->n; k++) {
    const ar_branch *b = &t->branch[t->order[k]];
    double *own = right + 6 * t->order[k];
    double *rows = right + 6 * t->n + (b->link >= 0 ? links->link[b->link].row : 0);
    for (size_t i = 0; i < 6 + b->n_rows; i++) {
      double sum = b->solved[i][6];
      for (size_t j = 0; j < 6 && b->parent >= 0; j++)
        sum -= b->solved[i][j] * right[6 * (size_t)b->parent + j];
      *(i < 6 ? own + i : rows + i - 6) = sum;
    }
  }
  return true;
}
