// SPDX-License-Identifier: GPL-3.0-or-later
/// Lines: their memory, rest data, phases and pins.
#include "viper/backend/line.h"
#include "viper/cpu/core/block.h"
#include "viper/cpu/core/lines.h"
#include "viper/cpu/line/line.h"

/// Colors of nodes and of frames in block descent; of segments and of joints in other methods.
enum { NODE_COLORS = 3, FRAME_COLORS = 2, SEGMENT_COLORS = 2, JOINT_COLORS = 3 };

/// Takes a field of all rows, those around them included, from a block.
static void *take_rows(char *block, size_t *at, int32_t rows, size_t size) {
  char *p = viper_take(block, at, (size_t)rows + (size_t)(2 * VIPER_LINE_REACH), size);
  return p ? p + VIPER_LINE_REACH * size : NULL;
}

/// Places of sums, and phases.
static void lay_orders(viper_line *l, char *block, size_t *at) {
  const size_t rows = (size_t)l->rows;
  l->value = viper_take(block, at, rows, sizeof *l->value);
  for (int k = 0; k < 3; k++)
    l->place[k] = viper_take(block, at, (size_t)l->n, sizeof *l->place[k]);
  l->order = viper_take(block, at, 2 * rows, sizeof *l->order);
  l->model.phase = viper_take(block, at, 5, sizeof *l->model.phase);
  l->adjacency.node_order = viper_take(block, at, rows, sizeof *l->order);
  l->adjacency.frame_order = viper_take(block, at, rows, sizeof *l->order);
  l->adjacency.phase = viper_take(block, at, 5, sizeof *l->adjacency.phase);
  l->adjacency.body_phase = viper_take(block, at, 2, sizeof *l->adjacency.body_phase);
}

/// Lays out what methods with the traits `sets` work with in a block; returns its size.
static size_t lay_line(viper_line *l, char *block, unsigned sets, bool old) {
  const int32_t m = l->rows;
  const size_t rows = (size_t)m;
  size_t at = 0;
#define TAKE(name, type, place, set, spare)                                                        \
  if (sets & (set))                                                                                \
    l->name = take_rows(block, &at, m, sizeof *l->name);
  VIPER_STATE_FIELDS(TAKE)
  VIPER_METHOD_FIELDS(TAKE)
  if (old) {
    VIPER_RATE_FIELDS(TAKE)
    VIPER_OLD_FIELDS(TAKE)
  }
#undef TAKE
#define TAKE(name, type) l->name = take_rows(block, &at, m, sizeof *l->name);
  VIPER_LINE_REST(TAKE)
#undef TAKE
  l->axis = take_rows(block, &at, m, sizeof *l->axis);
  l->node_free = take_rows(block, &at, m, sizeof *l->node_free);
  l->frame_free = take_rows(block, &at, m, sizeof *l->frame_free);
  l->weight = take_rows(block, &at, m, sizeof *l->weight);
  l->frame_weight = take_rows(block, &at, m, sizeof *l->frame_weight);
  l->node_pinned = take_rows(block, &at, m, sizeof *l->node_pinned);
  l->frame_pinned = take_rows(block, &at, m, sizeof *l->frame_pinned);
  for (int k = 0; k < 2; k++) {
    l->there[k] = viper_take(block, &at, rows, sizeof *l->there[k]);
    l->partial[k] = viper_take(block, &at, rows, sizeof *l->partial[k]);
  }
  lay_orders(l, block, &at);
  if (sets & VIPER_FACTORS)
    viper_pairs_lay(&l->pairs, block, &at, l->n, m);
  return at;
}

/// Lists rows by color from place `first` of `order` on, and adds a phase for each.
static void lay_phases(int32_t rows, int32_t colors, int32_t joints, int32_t first, int32_t *order,
                       viper_phase *phase) {
  const int32_t count = rows / colors;
  for (int32_t c = 0; c < colors; c++) {
    phase[c] = (viper_phase){joints, first + c * count, count};
    for (int32_t k = 0; k < count; k++)
      order[first + c * count + k] = c + k * colors;
  }
}

/// Elements of `n` scalars, which are `apart` from each other, into lanes; what is beyond the end
/// stays. An element's first scalar lies behind the others' if they are apart, else behind all its
/// predecessors'.
static void fill(const viper_line *l, const viper_chain_order *order, int32_t count,
                 const viper_scalar *from, size_t n, size_t apart, void *to) {
  for (int32_t p = 0; p < count; p++) {
    const viper_scalar *x = from + (apart > 1 ? 1 : n) * (size_t)viper_chain_at(order, p);
    viper_real *out = (viper_real *)to + n * (size_t)(p % l->rows);
    for (size_t k = 0; k < n; k++)
      out[k][p / l->rows] = x[k * apart];
  }
}

/// The rows around from those they repeat.
static void surround(const viper_line *l, size_t n, void *field) {
  viper_real *x = field;
  for (int32_t r = 1; r <= VIPER_LINE_REACH; r++)
    for (size_t k = 0; k < n; k++) {
      const viper_real *last = x + n * (size_t)(l->rows - r) + k,
                       *first = x + n * (size_t)(r - 1) + k;
      viper_real *before = x - n * (size_t)r + k, *behind = x + n * (size_t)(l->rows + r - 1) + k;
      for (int lane = 0; lane < VIPER_LANES; lane++) {
        (*before)[lane] = (*last)[(lane + VIPER_LANES - 1) % VIPER_LANES];
        (*behind)[lane] = (*first)[(lane + 1) % VIPER_LANES];
      }
    }
}
#define SURROUND(name) surround(l, VIPER_REALS(*l->name), l->name)

static void fill_rest(viper_line *l, const viper_arrays *a) {
  const viper_chain_order nodes = {{l->body->first_node}, 1};
  const viper_node_inertia one = {viper_splat(1), viper_splat(1)};
  for (int32_t r = 0; r < l->rows; r++) { // without stiffness, but of a length
    l->node_inertia[r] = one;
    l->segment[r].inv_l = l->solid[r].inv_l = l->joint[r].inv_lm = one.mass;
  }
  fill(l, &nodes, l->n, a->node_inertia, VIPER_REALS(viper_node_inertia), 1, l->node_inertia);
  fill(l, &l->segments, l->n - 1, a->segment, VIPER_REALS(viper_segment_rest), 1, l->segment);
  fill(l, &l->joints, l->n - 2, a->joint, VIPER_REALS(viper_joint_rest),
       a->joint_stride > 0 ? a->joint_stride : 1, l->joint);
  if (a->solid)
    fill(l, &l->segments, l->n - 1, a->solid, VIPER_REALS(viper_solid_rest), 1, l->solid);
  for (int32_t r = 0; r < l->rows; r++) {
    l->segment_spring[r] = viper_segment_spring_of(&l->segment[r]);
    l->joint_spring[r] = viper_joint_spring_of(&l->joint[r]);
  }
  SURROUND(node_inertia);
  SURROUND(segment);
  SURROUND(joint);
  SURROUND(solid);
  SURROUND(segment_spring);
  SURROUND(joint_spring);
}

static void fill_pins(viper_line *l, const viper_model *m) {
  for (int32_t r = 0; r < l->rows; r++) {
    for (int k = 0; k < 4; k++)
      l->node_free[r][k] = viper_splat(1);
    l->frame_free[r] = viper_splat(1);
  }
  for (int32_t i = 0; i < l->n; i++) {
    const uint32_t pinned = m->node[l->body->first_node + i].pinned;
    l->node_pinned[i % l->rows] |= pinned != 0;
    for (int k = 0; k < 4; k++)
      l->node_free[i % l->rows][k][i / l->rows] = pinned >> k & 1 ? 0 : 1;
  }
  for (int32_t j = 0; j + 1 < l->n; j++)
    if (m->segment[viper_chain_at(&l->segments, j)].pinned & VB_PIN_FRAME) {
      l->frame_pinned[j % l->rows] = 1;
      l->frame_free[j % l->rows][j / l->rows] = 0;
    }
  SURROUND(node_free);
  SURROUND(frame_free);
  for (int32_t r = 0; r < VIPER_LINE_REACH; r++) {
    l->node_pinned[l->rows + r] = l->node_pinned[r];
    l->node_pinned[-1 - r] = l->node_pinned[l->rows - 1 - r];
    l->frame_pinned[l->rows + r] = l->frame_pinned[r];
    l->frame_pinned[-1 - r] = l->frame_pinned[l->rows - 1 - r];
  }
}

/// Which elements there are; and rows with one that is not there although some of its unknowns are:
/// before the end of the chain, or by way of the ring at its beginning.
static void fill_present(viper_line *l) {
  const int32_t all = l->rows * VIPER_LANES;
  for (int kind = 0; kind < 2; kind++) {
    const int32_t count = l->n - 1 - kind;
    for (int32_t p = 0; p < count; p++)
      l->there[kind][p % l->rows][p / l->rows] = -1;
    for (int32_t p = count; p < all; p++)
      l->partial[kind][p % l->rows] |= p < l->n || p + VIPER_LINE_REACH >= all;
  }
}

static void fill_weights(viper_line *l, const viper_adjacency *adjacency) {
  for (int32_t r = 0; r < l->rows; r++) {
    l->weight[r] = (viper_node_inertia){viper_splat(1), viper_splat(1)};
    l->frame_weight[r] = viper_splat(1);
  }
  for (int32_t i = 0; i < l->n; i++) {
    const viper_counts *count = &adjacency->node_count[l->body->first_node + i];
    viper_node_inertia *out = &l->weight[i % l->rows];
    out->mass[i / l->rows] = (viper_scalar)1 / (viper_scalar)count->center;
    out->scale[i / l->rows] = (viper_scalar)1 / (viper_scalar)count->scale;
  }
  for (int32_t j = 0; j + 1 < l->n; j++)
    l->frame_weight[j % l->rows][j / l->rows] =
        (viper_scalar)1 / (viper_scalar)adjacency->frame_count[viper_chain_at(&l->segments, j)];
}

/// Whether `order` has the elements of a body, from number `first` on, by `colors` colors that
/// follow each other along the chain.
static bool is_in_turn(const viper_phase *phase, const int32_t *order, int32_t first, int32_t count,
                       int32_t colors) {
  for (int32_t c = 0; c < colors; c++) {
    if (phase[c].count != (count - c + colors - 1) / colors)
      return false;
    for (int32_t k = 0; k < phase[c].count; k++)
      if (order[phase[c].first + k] != first + c + k * colors)
        return false;
  }
  return true;
}

/// Whether the phases of the model, or of block descent, are those of a line; of `direct`, whether
/// the chain is eliminated from both ends.
static bool phases_fit(viper_line *l, const viper_arrays *a, viper_method method) {
  const viper_model_body *b = l->body;
  if (viper_method_has(method, VIPER_FACTORS)) {
    l->pairs.root = viper_chain_root(a->elimination, b, &l->segments, &l->pairs.upper_first);
    return l->joints.n != 2 && l->pairs.root > 0;
  }
  if (!viper_method_has(method, VIPER_OWN_PHASES))
    return l->segments.n == SEGMENT_COLORS && l->joints.n == JOINT_COLORS;
  const viper_adjacency *y = a->adjacency;
  const int32_t *range = y->body_phase + (b - a->model->body);
  const viper_phase *phase = y->phase + range[0];
  return l->segments.n == 1 && l->joints.n == 1 &&
         range[1] - range[0] == NODE_COLORS + FRAME_COLORS &&
         is_in_turn(phase, y->node_order, b->first_node, b->n_nodes, NODE_COLORS) &&
         is_in_turn(phase + NODE_COLORS, y->frame_order, b->first_segment, b->n_segments,
                    FRAME_COLORS);
}

static void make_lane(viper_line *l, viper_method method) {
  const int32_t m = l->rows;
  l->of_lane = *l->body;
  l->of_lane.first_node = l->of_lane.first_segment = l->of_lane.first_joint = 0;
  l->of_lane.first_phase = 0; // numbers of elements stay those of the chain
  l->of_lane.n_phases = SEGMENT_COLORS + JOINT_COLORS;
  l->model.body = &l->of_lane;
  l->adjacency.body_phase[1] = NODE_COLORS + FRAME_COLORS;
  lay_phases(m, SEGMENT_COLORS, 0, 0, l->order, l->model.phase);
  lay_phases(m, JOINT_COLORS, 1, m, l->order, l->model.phase + SEGMENT_COLORS);
  lay_phases(m, NODE_COLORS, 0, 0, l->adjacency.node_order, l->adjacency.phase);
  lay_phases(m, FRAME_COLORS, 1, 0, l->adjacency.frame_order, l->adjacency.phase + NODE_COLORS);
  if (viper_method_has(method, VIPER_OWN_PHASES) || viper_method_has(method, VIPER_FACTORS))
    l->order = NULL;
}

/// Rows of a line of `n` nodes: those of colors, or without them as few as there can be.
static int32_t rows_of(int32_t n, viper_method method) {
  const int32_t least = (n + VIPER_LANES - 1) / VIPER_LANES;
  if (!viper_method_has(method, VIPER_FACTORS))
    return viper_line_rows(n, VIPER_LANES);
  return least < VIPER_LINE_REACH + 1 ? VIPER_LINE_REACH + 1 : least;
}

/// Where the values of elements lie, in the order of the model.
static void fill_places(viper_line *l) {
  const int32_t first[] = {0, l->body->first_segment, l->body->first_joint};
  const viper_chain_order order[] = {{{0}, 1}, l->segments, l->joints};
  for (int kind = 0; kind < 3; kind++)
    for (int32_t p = 0; p + kind < l->n; p++)
      l->place[kind][viper_chain_at(&order[kind], p) - first[kind]] =
          p % l->rows * VIPER_LANES + p / l->rows;
}

static void fill_pairs(viper_line *l, const viper_elimination *e) {
  viper_pairs *p = &l->pairs;
  const int32_t first = l->body->first_node + l->body->first_segment;
  for (int32_t i = 0; i < l->n; i++) {
    viper_line_order *order = &p->order[i % l->rows];
    const int32_t color = (i + 1) % l->joints.n, lane = i / l->rows;
    order->segment[lane] = -(viper_bits)viper_chain_is_first(&l->segments, i - 1);
    order->color[0][lane] = -(viper_bits)(color == 0);
    order->color[1][lane] = -(viper_bits)(color == 1);
    p->place[i] = (viper_line_place){i % l->rows, i / l->rows};
    p->node_column[i] = e->column_of[l->body->first_node + i] - first;
  }
  for (int32_t j = 0; j + 1 < l->n; j++)
    p->frame_column[j] = e->column_of[e->n_nodes + viper_chain_at(&l->segments, j)] - first;
}

/// Whether a body costs less as a line.
static bool line_pays(const viper_arrays *a, int32_t body, viper_method method) {
  if (viper_method_has(method, VIPER_FACTORS))
    return !a->panels && viper_is_line(a->model, body);
  return viper_line_is_best(a->model, body, VIPER_LANES);
}

static vb_status make_line(viper_line *l, const viper_arrays *a, int32_t body, viper_method method,
                           vb_error *error) {
  const unsigned sets = viper_traits(method);
  const bool old = a->solid || viper_method_has(method, VIPER_FACTORS);
  l->body = NULL;
  if (!line_pays(a, body, method) || !viper_chain_find(a->model, body, &l->segments, &l->joints))
    return VB_OK;
  l->body = &a->model->body[body];
  l->n = l->body->n_nodes;
  l->rows = rows_of(l->n, method);
  if (!phases_fit(l, a, method)) {
    l->body = NULL;
    return VB_OK;
  }
  l->memory = viper_zeroed(lay_line(l, NULL, sets, old));
  if (!l->memory)
    return vb_error_memory(error);
  lay_line(l, l->memory, sets, old);
  make_lane(l, method);
  fill_rest(l, a);
  fill_pins(l, a->model);
  fill_present(l);
  fill_places(l);
  if (a->adjacency)
    fill_weights(l, a->adjacency);
  else
    fill_pairs(l, a->elimination);
  return VB_OK;
}

vb_status viper_lines_create(const viper_arrays *arrays, const viper_body_groups *body_groups,
                             viper_method method, void **out, vb_error *error) {
  viper_all_lines *lines = calloc(1, sizeof *lines);
  vb_status status = lines ? VB_OK : vb_error_memory(error);
  if (!status) {
    lines->model = arrays->model;
    lines->line = calloc(body_groups->n_singles + 1, sizeof *lines->line);
    status = lines->line ? VB_OK : vb_error_memory(error);
  }
  for (size_t k = 0; !status && k < body_groups->n_singles; k++) {
    status = make_line(&lines->line[k], arrays, body_groups->single[k], method, error);
    lines->n = k + 1;
  }
  if (status)
    viper_lines_destroy(lines);
  else
    *out = lines;
  return status;
}

void viper_lines_destroy(void *self) {
  viper_all_lines *lines = self;
  for (size_t k = 0; lines && k < lines->n; k++)
    free(lines->line[k].memory);
  if (lines)
    free(lines->line);
  free(lines);
}

const viper_lines_api VIPER_NAME(viper_lines) = {viper_lines_create, viper_lines_destroy,
                                                 viper_lines_sweep};
