// SPDX-License-Identifier: GPL-3.0-or-later
/// The elimination of a line in pairs: the first number of a pair is of the side of node 0, the
/// lower one, the second of the other.
#include "viper/cpu/line/pairs.h"

#include "viper/cpu/core/block.h"
#include "viper/cpu/line/line.h"

#define PAIR_BYTES 16
#define PAIR_LANES (PAIR_BYTES * 8 / VIPER_PRECISION)

/// An entry of the matrix on both sides; what a register holds besides is not looked at.
typedef viper_scalar pair __attribute__((vector_size(PAIR_BYTES)));
typedef viper_bits pair_mask __attribute__((vector_size(PAIR_BYTES)));
typedef double wide_pair __attribute__((vector_size(8 * PAIR_LANES)));

VIPER_FN pair pair_select(pair_mask mask, pair a, pair b) {
  return (pair)(((pair_mask)a & mask) | ((pair_mask)b & ~mask));
}

VIPER_FN pair pair_of(viper_scalar lower, viper_scalar upper) {
  pair out = {lower, upper};
  return out;
}

#define VIPER_ENTRY                 pair
#define VIPER_ENTRY_SELECT(m, a, b) pair_select((pair_mask)(m), (a), (b))
#define VIPER_ENTRY_ONE             ((pair){0} + (viper_scalar)1)
#define VIPER_WIDE                  wide_pair
#define VIPER_WIDE_ZERO             ((wide_pair){0})
#define VIPER_WIDEN(x)              __builtin_convertvector((x), wide_pair)
#define VIPER_NARROWED(x)           VIPER_WIDEN(__builtin_convertvector((x), pair))
// 0 or 1 times a part are the same bits as a choice.
#define VIPER_WIDE_NEGATIVE(sign, part) ((part) * (0.5 - 0.5 * VIPER_WIDEN(sign)))
#define VIPER_WIDE_SELECT(m, a, b)                                                                 \
  ((wide_pair)(((wide_mask)(a) & (wide_mask)(m)) | ((wide_mask)(b) & ~(wide_mask)(m))))
typedef int64_t wide_mask __attribute__((vector_size(8 * PAIR_LANES)));

#include "viper/linear/chain.h"

enum { LOWER, UPPER, SIDES };

/// Levels next to the middle, on which both sides act: each side is eliminated alone there.
#define JOINT_LEVELS 2

/// Entries of a level: two triangles, what is below them, and the solution.
#define LEVEL_ENTRIES (10 + 6 + (4 + 3) * VIPER_CHAIN_LATER + 4 + 3)

/// Columns of a level, on both sides or on one of them, and their solution; `all` are their entries
/// whatever they mean.
typedef union level_columns {
  struct {
    viper_chain_node node;
    viper_chain_frame frame;
    pair move[4], move_frame[3];
  };
  pair all[LEVEL_ENTRIES];
} level_columns;
_Static_assert(sizeof(level_columns) == LEVEL_ENTRIES * sizeof(pair), "only entries");

struct viper_pair_columns {
  level_columns alone[SIDES][JOINT_LEVELS + 1]; ///< by distance from the middle
  viper_chain_node root;
  pair move_root[4];
  viper_line_segment no_segment; ///< beyond an end
  viper_line_joint no_joint;
  viper_line_node no_node;
  viper_line_frame no_frame;
  level_columns level[]; ///< by distance from the middle
};

static int32_t levels_of(const viper_pairs *p) {
  const int32_t lower = p->root, upper = p->n - 1 - p->root;
  return lower > upper ? lower : upper;
}

/// Columns beyond an end: of the unit matrix, with a solution of 0.
static void fill_absent(viper_pair_columns *c) {
  const viper_real one = viper_splat(1);
  for (int k = 0; k < 4; k++)
    c->no_node.packed[viper_packed(k, k)] = one;
  for (int k = 0; k < 3; k++)
    c->no_frame.packed[viper_packed(k, k)] = one;
}

/// Takes elements of all rows, and room for what the first rows need of the last.
static void *take_rows(char *block, size_t *at, size_t rows, size_t size) {
  char *p = viper_take(block, at, rows + VIPER_LINE_REACH, size);
  return p ? p + VIPER_LINE_REACH * size : NULL;
}

void viper_pairs_lay(viper_pairs *p, char *block, size_t *at, int32_t n, int32_t rows) {
  const size_t m = (size_t)rows, all = (size_t)n;
  p->n = n;
  p->place = viper_take(block, at, all, sizeof *p->place);
  p->node_column = viper_take(block, at, all, sizeof *p->node_column);
  p->frame_column = viper_take(block, at, all, sizeof *p->frame_column);
  p->segment = take_rows(block, at, m, sizeof *p->segment);
  p->joint = take_rows(block, at, m, sizeof *p->joint);
  p->node = viper_take(block, at, m, sizeof *p->node);
  p->frame = viper_take(block, at, m, sizeof *p->frame);
  p->order = viper_take(block, at, m, sizeof *p->order);
  p->node_move = viper_take(block, at, m, sizeof *p->node_move);
  p->frame_move = viper_take(block, at, m, sizeof *p->frame_move);
  p->slope = viper_take(block, at, 2 * all, sizeof *p->slope);
  const size_t levels = (size_t)levels_of(p) + 1;
  p->column = viper_take(block, at, 1, sizeof *p->column + levels * sizeof *p->column->level);
  if (block)
    fill_absent(p->column);
}

/// An element on either side: its numbers, VIPER_LANES apart.
typedef struct both {
  const viper_scalar *side[SIDES];
} both;

/// The place of number `number` of an element in row `at.row`.
#define FIND(array, at) find_number((array), sizeof *(array), (at))

VIPER_FN const viper_scalar *find_number(const void *array, size_t size, viper_line_place at) {
  return (const viper_scalar *)array + size / sizeof(viper_scalar) * (size_t)at.row + at.lane;
}

/// Number `lower` of the element of the lower side, and number `upper` of that of the upper one.
VIPER_FN pair take(both e, int lower, int upper) {
  return pair_of(e.side[LOWER][lower * VIPER_LANES], e.side[UPPER][upper * VIPER_LANES]);
}

/// Minus the gradient of a node or frame of `n` unknowns, and its diagonal block.
VIPER_FN void take_own(both e, int n, pair *own, pair *move) {
  VIPER_UNROLL for (int k = 0; k < n; k++) move[k] = take(e, k, k);
  VIPER_UNROLL for (int k = 0; k < n * (n + 1) / 2; k++) own[k] = take(e, n + k, n + k);
}

// The places of entry (i, j), i >= j, of a segment and of a joint.
#define OF_SEGMENT(i, j) (VIPER_SEGMENT_UNKNOWNS + (i) * ((i) + 1) / 2 + (j))
#define OF_JOINT(i, j)   (VIPER_JOINT_UNKNOWNS + (i) * ((i) + 1) / 2 + (j))

/// What a level is made of: its nodes, and the frame, segment and joint towards the middle.
typedef struct level_parts {
  both node, frame, segment, joint;
} level_parts;

VIPER_FN level_parts find_parts(const viper_pairs *p, int32_t lower, int32_t upper) {
  const viper_pair_columns *c = p->column;
  const viper_line_place none = {0, 0};
  level_parts out;
  const bool low = lower >= 0, high = upper < p->n;
  const viper_line_place at = low ? p->place[lower] : none;
  out.node.side[LOWER] = FIND(low ? p->node : &c->no_node, at);
  out.frame.side[LOWER] = FIND(low ? p->frame : &c->no_frame, at);
  out.segment.side[LOWER] = FIND(low ? p->segment : &c->no_segment, at);
  out.joint.side[LOWER] = FIND(low ? p->joint : &c->no_joint, at);
  const viper_line_place node = high ? p->place[upper] : none,
                         behind = high ? p->place[upper - 1] : none;
  out.node.side[UPPER] = FIND(high ? p->node : &c->no_node, node);
  out.frame.side[UPPER] = FIND(high ? p->frame : &c->no_frame, behind);
  out.segment.side[UPPER] = FIND(high ? p->segment : &c->no_segment, behind);
  out.joint.side[UPPER] = FIND(high ? p->joint : &c->no_joint, high ? p->place[upper - 2] : none);
  return out;
}

/// The columns of the nodes of a level.
VIPER_FN void make_node(const level_parts *e, viper_chain_node *x, pair *move) {
  const pair zero = {0};
  take_own(e->node, 4, x->own, move);
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    VIPER_UNROLL for (int r = 0; r < 3; r++) x->later[k][VIPER_NODE_FRAME + r] =
        take(e->segment, OF_SEGMENT(8 + r, k), OF_SEGMENT(8 + r, 4 + k));
    VIPER_UNROLL for (int r = 0; r < 4; r++) x->later[k][VIPER_NODE_NODE + r] =
        take(e->segment, OF_SEGMENT(4 + r, k), OF_SEGMENT(4 + k, r));
    x->later[k][VIPER_CHAIN_SECOND] = k < 3 ? zero : take(e->joint, OF_JOINT(2, 0), OF_JOINT(2, 0));
  }
}

/// The columns of their frames.
VIPER_FN void make_frame(const level_parts *e, viper_chain_frame *x, pair *move) {
  const pair zero = {0};
  take_own(e->frame, 3, x->own, move);
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    VIPER_UNROLL for (int r = 0; r < 4; r++) x->later[k][VIPER_FRAME_NODE + r] =
        take(e->segment, OF_SEGMENT(8 + k, 4 + r), OF_SEGMENT(8 + k, r));
    VIPER_UNROLL for (int r = 0; r < 3; r++) x->later[k][VIPER_FRAME_FRAME + r] =
        take(e->joint, OF_JOINT(6 + r, 3 + k), OF_JOINT(6 + k, 3 + r));
    x->later[k][VIPER_CHAIN_SECOND] = zero;
  }
}

static __attribute__((noinline)) void make_level(const viper_pairs *p, int32_t level) {
  level_columns *c = &p->column->level[level];
  const level_parts e = find_parts(p, p->root - level, p->root + level);
  make_node(&e, &c->node, c->move);
  make_frame(&e, &c->frame, c->move_frame);
}

VIPER_FN void note_slope(const viper_pairs *p, int32_t column, viper_slope s, int side) {
  p->slope[column][0] = s.slope[side];
  p->slope[column][1] = s.shifted[side];
}

/// Of nodes, or frames, on both sides.
VIPER_FN void note_slopes(const viper_pairs *p, const int32_t *column, int32_t n, int32_t lower,
                          int32_t upper, viper_slope s) {
  if (lower >= 0)
    note_slope(p, column[lower], s, LOWER);
  if (upper < n)
    note_slope(p, column[upper], s, UPPER);
}

VIPER_FN viper_chain_level level_of(level_columns *c, level_columns *next, pair *second,
                                    pair *move_second) {
  viper_chain_level l = {
      &c->node,      &next->node, &c->frame,        &next->frame, second, c->move,
      c->move_frame, next->move,  next->move_frame, move_second,  0,      0};
  return l;
}

VIPER_FN viper_chain_level pair_level(level_columns *c) {
  return level_of(c, c - 1, &c[-2].node.own[9], &c[-2].move[3]);
}

static __attribute__((noinline)) void eliminate_level(const viper_pairs *p, int32_t level) {
  const viper_chain_level l = pair_level(&p->column->level[level]);
  const int32_t lower = p->root - level, upper = p->root + level;
  note_slopes(p, p->node_column, p->n, lower, upper, viper_chain_eliminate_node(&l));
  note_slopes(p, p->frame_column, p->n - 1, lower, upper - 1, viper_chain_eliminate_frame(&l));
}

static __attribute__((noinline)) void eliminate_node_alone(const viper_chain_level *l,
                                                           viper_slope *out) {
  *out = viper_chain_eliminate_node(l);
}

static __attribute__((noinline)) void eliminate_frame_alone(const viper_chain_level *l,
                                                            viper_slope *out) {
  *out = viper_chain_eliminate_frame(l);
}

static __attribute__((noinline)) void back_alone(const viper_chain_level *l) {
  viper_chain_back(l);
}

/// Gives each side the columns of levels next to the middle.
static void part_sides(viper_pair_columns *c) {
  for (int level = 1; level <= JOINT_LEVELS; level++)
    for (int side = 0; side < SIDES; side++)
      for (int k = 0; k < LEVEL_ENTRIES; k++) {
        const viper_scalar x = c->level[level].all[k][side];
        c->alone[side][level].all[k] = pair_of(x, x);
      }
}

/// The columns on which both sides act, forward and backward; `order` has the sides.
static void solve_middle(const viper_pairs *p, const int order[SIDES]) {
  viper_pair_columns *c = p->column;
  viper_chain_level l[SIDES];
  viper_slope s;
  const int32_t last = 2 * p->n - 2;
  for (int k = 0; k < SIDES; k++)
    l[k] =
        level_of(&c->alone[order[k]][2], &c->alone[order[k]][1], &c->root.own[9], &c->move_root[3]);
  for (int k = 0; k < SIDES; k++) {
    eliminate_node_alone(&l[k], &s);
    note_slope(p, p->node_column[order[k] == LOWER ? p->root - 2 : p->root + 2], s, 0);
  }
  for (int k = 0; k < SIDES; k++) {
    eliminate_frame_alone(&l[k], &s);
    note_slope(p, p->frame_column[order[k] == LOWER ? p->root - 2 : p->root + 1], s, 0);
  }
  level_columns *first = &c->alone[order[0]][1], *other = &c->alone[order[1]][1];
  viper_chain_top t = {.node = {&first->node, &other->node},
                       .root = &c->root,
                       .frame = {&first->frame, &other->frame},
                       .move = {first->move, other->move},
                       .move_frame = {first->move_frame, other->move_frame},
                       .move_root = c->move_root};
  note_slope(p, last - 4, viper_chain_top_first(&t), 0);
  note_slope(p, last - 3, viper_chain_top_second(&t), 0);
  note_slope(p, last - 2, viper_chain_top_frame(&t, 0), 0);
  note_slope(p, last - 1, viper_chain_top_frame(&t, 1), 0);
  note_slope(p, last, viper_chain_top_root(&t), 0);
  viper_chain_top_back(&t);
  for (int k = 0; k < SIDES; k++)
    back_alone(&l[k]);
  for (int level = 1; level <= JOINT_LEVELS; level++) {
    for (int k = 0; k < 4; k++)
      c->level[level].move[k] =
          pair_of(c->alone[LOWER][level].move[k][0], c->alone[UPPER][level].move[k][0]);
    for (int k = 0; k < 3; k++)
      c->level[level].move_frame[k] =
          pair_of(c->alone[LOWER][level].move_frame[k][0], c->alone[UPPER][level].move_frame[k][0]);
  }
}

/// Writes a solution into its row.
VIPER_FN void put_move(const viper_pairs *p, int32_t number, const pair *move, int side, int n,
                       viper_real *rows) {
  const viper_line_place at = p->place[number];
  viper_scalar *out = (viper_scalar *)(rows + (size_t)n * (size_t)at.row) + at.lane;
  VIPER_UNROLL for (int k = 0; k < n; k++) out[k * VIPER_LANES] = move[k][side];
}

void viper_pairs_put_moves(const viper_pairs *p) {
  const viper_pair_columns *c = p->column;
  viper_real *nodes = p->node_move[0], *frames = p->frame_move[0];
  put_move(p, p->root, c->move_root, 0, 4, nodes);
  for (int32_t level = 1; level <= levels_of(p); level++) {
    const level_columns *at = &c->level[level];
    const int32_t lower = p->root - level, upper = p->root + level;
    if (lower >= 0) {
      put_move(p, lower, at->move, LOWER, 4, nodes);
      put_move(p, lower, at->move_frame, LOWER, 3, frames);
    }
    if (upper < p->n) {
      put_move(p, upper, at->move, UPPER, 4, nodes);
      put_move(p, upper - 1, at->move_frame, UPPER, 3, frames);
    }
  }
}

void viper_pairs_assemble(const viper_pairs *p) {
  viper_pair_columns *c = p->column;
  for (int32_t level = levels_of(p); level >= 1; level--)
    make_level(p, level);
  const viper_scalar *root = FIND(p->node, p->place[p->root]);
  take_own((both){{root, root}}, 4, c->root.own, c->move_root);
}

double viper_pairs_solve(const viper_pairs *p, double *shifted) {
  viper_pair_columns *c = p->column;
  const int32_t levels = levels_of(p);
  const int order[SIDES] = {p->upper_first ? UPPER : LOWER, p->upper_first ? LOWER : UPPER};
  double slope = 0;
  for (int32_t level = levels; level > JOINT_LEVELS; level--)
    eliminate_level(p, level);
  part_sides(c);
  solve_middle(p, order);
  for (int32_t level = JOINT_LEVELS + 1; level <= levels; level++) {
    const viper_chain_level l = pair_level(&c->level[level]);
    back_alone(&l);
  }
  viper_pairs_put_moves(p);
  *shifted = 0;
  for (int32_t column = 0; column < 2 * p->n - 1; column++) {
    slope += p->slope[column][0];
    *shifted += p->slope[column][1];
  }
  return slope;
}
