// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/ray_tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/// Most items of a leaf; places where items are parted; levels from which on they are halved.
enum { LEAF = 3, BINS = 16, DEEP = 32 };

/// Of the bounds' half diagonal. Coordinates relative to the middle, at most that, and their
/// differences have errors of 2^-24; quotients by a direction have another two.
#define MARGIN 0x1p-20

typedef float four __attribute__((vector_size(16)));

/// A box: x, y, z, and one component without meaning.
typedef struct box {
  four low, high;
} box;

/// An item's box relative to the middle. Its number is ITEMS high[3] + low[3], which are whole.
typedef box entry;

#define ITEMS 0x1p16F

/// Bytes that a processor reads at once; a node is two of these.
#define LINE 64

typedef struct span {
  size_t begin, end;
} span;

typedef struct builder {
  vb_ray_tree *tree;
  entry *entry;
  size_t n_nodes;
} builder;

/// A node whose branches are to be made of a span.
typedef struct task {
  size_t node;
  span of;
  box box;
  int level;
} task;

static inline four smaller(four a, four b) {
  four out;
  for (int i = 0; i < 4; i++)
    out[i] = a[i] < b[i] ? a[i] : b[i];
  return out;
}

static inline four larger(four a, four b) {
  four out;
  for (int i = 0; i < 4; i++)
    out[i] = a[i] > b[i] ? a[i] : b[i];
  return out;
}

static box no_box(void) {
  float inf = INFINITY;
  return (box){{inf, inf, inf, inf}, {-inf, -inf, -inf, -inf}};
}

static inline void grow(box *b, const box *other) {
  b->low = smaller(b->low, other->low);
  b->high = larger(b->high, other->high);
}

/// Half the area of its sides; 0 of no box.
static float half_area(const box *b) {
  four s = b->high - b->low;
  return s[0] < 0 ? 0 : s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
}

static int32_t item_of(const entry *e) {
  return (int32_t)ITEMS * (int32_t)e->high[3] + (int32_t)e->low[3];
}

/// Twice the middle of an item.
static four middle_of(const entry *e) {
  return e->low + e->high;
}

static box bound_span(const entry *e, span s, bool middles) {
  box all = no_box();
  for (size_t i = s.begin; i < s.end; i++) {
    four m = middle_of(&e[i]);
    grow(&all, middles ? &(box){m, m} : &e[i]);
  }
  return all;
}

static int longest_axis(const box *b) {
  four s = b->high - b->low;
  return s[1] > s[0] ? (s[2] > s[1] ? 2 : 1) : s[2] > s[0] ? 2 : 0;
}

/// Bins along an axis: that of a place.
typedef struct binning {
  int axis;
  float low, scale;
} binning;

static int bin_of(const binning *b, const entry *e) {
  float at = (middle_of(e)[b->axis] - b->low) * b->scale;
  return at < BINS - 1 ? (int)at : BINS - 1;
}

/// Fills bins with the items of a span: the boxes and numbers of those in each.
static void fill_bins(const entry *e, span s, const binning *b, box bin[BINS], size_t count[BINS]) {
  for (int i = 0; i < BINS; i++)
    bin[i] = no_box();
  for (size_t i = s.begin; i < s.end; i++) {
    int at = bin_of(b, &e[i]);
    grow(&bin[at], &e[i]);
    count[at]++;
  }
}

/// The bin that the second part begins at for which the cost is least, or 0 where all are in one,
/// and the boxes of both parts.
static int choose_bin(const entry *e, span s, const binning *b, box parts[2]) {
  box bin[BINS], behind[BINS], all = no_box();
  size_t count[BINS] = {0}, n = 0;
  float least = INFINITY;
  int best = 0;
  fill_bins(e, s, b, bin, count);
  for (int i = BINS - 1; i > 0; i--) {
    grow(&all, &bin[i]);
    behind[i] = all;
  }
  all = no_box();
  for (int i = 1; i < BINS; i++) {
    grow(&all, &bin[i - 1]);
    n += count[i - 1];
    size_t others = s.end - s.begin - n;
    float cost = half_area(&all) * (float)n + half_area(&behind[i]) * (float)others;
    if (n > 0 && others > 0 && cost < least) {
      least = cost;
      best = i;
      parts[0] = all;
      parts[1] = behind[i];
    }
  }
  return best;
}

/// Moves items of bins before `bin` to the front; returns where the others begin.
static size_t part(entry *e, span s, const binning *b, int bin) {
  size_t i = s.begin, j = s.end;
  while (i < j) {
    if (bin_of(b, &e[i]) < bin) {
      i++;
      continue;
    }
    entry other = e[--j];
    e[j] = e[i];
    e[i] = other;
  }
  return i;
}

/// Where to part a span of several items, and the boxes of both parts; in its middle where items
/// cannot be told apart or the level is deep.
static size_t find_place(entry *e, span s, int level, box parts[2]) {
  box middles = bound_span(e, s, true);
  int axis = longest_axis(&middles);
  float low = middles.low[axis], width = middles.high[axis] - low;
  binning b = {axis, low, (float)BINS / width};
  int bin = level < DEEP && width > 0 && isfinite(b.scale) ? choose_bin(e, s, &b, parts) : 0;
  if (bin)
    return part(e, s, &b, bin);
  size_t place = s.begin + (s.end - s.begin) / 2;
  parts[0] = bound_span(e, (span){s.begin, place}, false);
  parts[1] = bound_span(e, (span){place, s.end}, false);
  return place;
}

/// Parts a span, whose box is known, into at most four, those of the largest boxes first (of the
/// most items where the level is deep); returns how many.
static int part_by_four(entry *e, int level, span *s, box *b) {
  int n = 1;
  while (n < VB_RAY_BRANCHES) {
    int most = -1;
    float size = -1;
    for (int i = 0; i < n; i++) {
      size_t items = s[i].end - s[i].begin;
      float own = level < DEEP ? half_area(&b[i]) : (float)items;
      if (items > LEAF && own > size) {
        size = own;
        most = i;
      }
    }
    if (most < 0)
      break;
    box parts[2];
    size_t at = find_place(e, s[most], level, parts);
    s[n] = (span){at, s[most].end};
    s[most].end = at;
    b[most] = parts[0];
    b[n] = parts[1];
    n++;
  }
  return n;
}

/// Fills branch `i` of a node by a box, or none.
static void set_box(vb_ray_node *node, int i, const box *b, float margin) {
  for (int k = 0; k < 3; k++) {
    node->side[k][0][i] = b->low[k] - margin;
    node->side[k][1][i] = b->high[k] + margin;
  }
}

static void build(builder *b) {
  span whole = {0, b->tree->n_items};
  task stack[VB_RAY_TREE_WAITING] = {{0, whole, bound_span(b->entry, whole, false), 0}};
  int waiting = 1;
  float margin = (float)b->tree->margin;
  const box none = no_box();
  b->n_nodes = 1;
  while (waiting > 0) {
    task t = stack[--waiting];
    vb_ray_node *node = &b->tree->node[t.node];
    span s[VB_RAY_BRANCHES] = {t.of};
    box bounds[VB_RAY_BRANCHES] = {t.box};
    int n = part_by_four(b->entry, t.level, s, bounds);
    for (int i = 0; i < VB_RAY_BRANCHES; i++) {
      size_t items = i < n ? s[i].end - s[i].begin : 0;
      bool leaf = items <= LEAF;
      set_box(node, i, i < n ? &bounds[i] : &none, margin);
      node->first[i] = (int32_t)(i >= n ? 0 : leaf ? s[i].begin : b->n_nodes);
      node->count[i] = leaf ? (int32_t)items : 0;
      if (!leaf)
        stack[waiting++] = (task){b->n_nodes++, s[i], bounds[i], t.level + 1};
    }
  }
}

/// Finds the bounds of all, their middle and margin.
static vb_status bound_all(const vb_bounds *bounds, size_t n, vb_ray_tree *tree, vb_error *error) {
  vb_bounds all = vb_bounds_none();
  double square = 0;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      if (!isfinite(bounds[i].low[k]) || !isfinite(bounds[i].high[k]))
        return vb_bad_input(error, "item %zu has a coordinate that is not finite", i);
      all.low[k] = bounds[i].low[k] < all.low[k] ? bounds[i].low[k] : all.low[k];
      all.high[k] = bounds[i].high[k] > all.high[k] ? bounds[i].high[k] : all.high[k];
    }
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * (all.high[k] - all.low[k]);
    tree->middle[k] = all.low[k] + half;
    square += half * half;
  }
  tree->margin = MARGIN * sqrt(square);
  for (int k = 0; k < 3; k++) {
    tree->bounds.low[k] = all.low[k] - tree->margin;
    tree->bounds.high[k] = all.high[k] + tree->margin;
  }
  return VB_OK;
}

static void make_entry(const vb_ray_tree *tree, const vb_bounds *bounds, int32_t item, entry *e) {
  for (int k = 0; k < 3; k++) {
    e->low[k] = (float)(bounds->low[k] - tree->middle[k]);
    e->high[k] = (float)(bounds->high[k] - tree->middle[k]);
  }
  int32_t rest = item % (int32_t)ITEMS;
  e->low[3] = (float)rest;
  e->high[3] = (float)(item - rest) / ITEMS;
}

vb_status vb_ray_tree_build(const vb_bounds *bounds, size_t n, vb_ray_tree *out, vb_error *error) {
  vb_ray_tree tree = {.n_items = n};
  if (n > INT32_MAX / 2)
    return vb_bad_input(error, "%zu items are too many to index", n);
  vb_status status = n > 0 ? bound_all(bounds, n, &tree, error) : VB_OK;
  if (status)
    return status;
  entry *e = reallocarray(NULL, n + 1, sizeof *e);
  tree.node = aligned_alloc(LINE, (n + 1) * sizeof *tree.node);
  tree.item = reallocarray(NULL, n + 1, sizeof *tree.item);
  if (!e || !tree.node || !tree.item) {
    free(e);
    vb_ray_tree_clear(&tree);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < n; i++)
    make_entry(&tree, &bounds[i], (int32_t)i, &e[i]);
  if (n > 0)
    build(&(builder){.tree = &tree, .entry = e});
  for (size_t i = 0; i < n; i++)
    tree.item[i] = item_of(&e[i]);
  free(e);
  *out = tree;
  return VB_OK;
}

void vb_ray_tree_clear(vb_ray_tree *tree) {
  free(tree->node);
  free(tree->item);
  *tree = (vb_ray_tree){0};
}
