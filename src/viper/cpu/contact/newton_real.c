// SPDX-License-Identifier: GPL-3.0-or-later
/// A substep in contact by Newton's method (contact/README.md, Newton): contacts as rows, which are
/// made anew at each state, and what the solution leaves for all that follows in the substep.
#include "viper/cpu/contact/contact_real.h"

#include <math.h>
#include <string.h>

/// Penalty over what moves a contact's nodes alone, by their inertia: bodies that they carry along
/// resist by up to their own mass over a node's, and by more where those are heavier
/// (`mass_ratio`). Of that each change of multipliers leaves 1 in 1 + PENALTY / resistance.
#define PENALTY 1e4

/// Likewise of friction, to begin with.
#define GRIP 1e4

/// By how much of its reach a contact that turns may cut off the place where the substep began: a
/// push does no more work than over this way. At 1/60 s a blow at 10 m/s moves 20 times as far.
#define CUT_OFF 0.01

/// Newton steps before which contacts are found anew. From then on they stay: where a push is large
/// beside the inertia over their curvature they would turn on and on, as a ball on a ball does.
enum { MOST_RENEWALS = 8 };

static void read_place(const viper_place *p, const void *from, double *out) {
  const viper_scalar *x = from;
  for (size_t k = 0; k < 4; k++)
    out[k] = (double)x[k * p->stride];
}

static void write_place(const viper_place *p, const double *from) {
  viper_scalar *x = p->node;
  for (size_t k = 0; k < 4; k++)
    x[k * p->stride] = (viper_scalar)from[k];
}

static void read_state(const viper_cpu *cpu, viper_contact_state *x) {
  const viper_contacts *c = cpu->contacts;
  const viper_model *m = cpu->model;
  for (size_t i = 0; i < m->n_nodes; i++) {
    read_place(&c->place[i], c->place[i].node, x->node + 4 * i);
    read_place(&c->place[i], c->place[i].node_old, x->node_old + 4 * i);
    read_place(&c->place[i], c->place[i].node_hat, x->node_hat + 4 * i);
  }
  for (size_t j = 0; j < m->n_segments; j++) {
    read_place(&c->frame_place[j], c->frame_place[j].node, x->frame + 4 * j);
    read_place(&c->frame_place[j], c->frame_place[j].node_old, x->frame_old + 4 * j);
    read_place(&c->frame_place[j], c->frame_place[j].node_hat, x->frame_hat + 4 * j);
  }
  for (size_t j = 0; cpu->active && j < m->n_segments; j++) {
    x->active[2 * j] = (double)cpu->active[j].stretch;
    x->active[2 * j + 1] = (double)cpu->active[j].scale;
  }
}

static void write_state(const viper_cpu *cpu, const viper_contact_state *x) {
  const viper_contacts *c = cpu->contacts;
  for (size_t i = 0; i < cpu->model->n_nodes; i++)
    write_place(&c->place[i], x->node + 4 * i);
  for (size_t j = 0; j < cpu->model->n_segments; j++)
    write_place(&c->frame_place[j], x->frame + 4 * j);
}

/// The line between a contact's points before the substep, and the sum of the radii there.
static double old_line(const viper_contacts *c, const viper_touch *t, double d[3]) {
  double reach = 0;
  for (int k = 0; k < 3; k++)
    d[k] = 0;
  for (int i = 0; i < 4; i++) {
    const viper_contact_node *x = &c->node[t->node[i]];
    for (int k = 0; k < 3; k++)
      d[k] += (double)t->weight[i] * (double)x->old[k];
    reach -= (double)t->pull[i] * (double)x->old[3];
  }
  return reach;
}

/// Turns a contact's normal towards the line between its points before the substep, as far as the
/// place where these were is free: what a contact cuts off of it would be energy from nothing.
static void turn_normal(const viper_contacts *c, viper_touch *t) {
  double d[3];
  const double reach = old_line(c, t, d), length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const double least = (1 - CUT_OFF) * fmin(1, reach / length);
  if (!(length > 1e-3 * reach))
    return;
  double n[3], along = 0, across2 = 0;
  for (int k = 0; k < 3; k++)
    along += (double)t->n[k] * d[k] / length;
  if (along >= least)
    return;
  for (int k = 0; k < 3; k++) {
    n[k] = (double)t->n[k] - along * d[k] / length;
    across2 += n[k] * n[k];
  }
  const double across = across2 > 0 ? sqrt((1 - least * least) / across2) : 0;
  const double size = across2 > 0 ? 1 : 1 / least;
  for (int k = 0; k < 3; k++)
    t->n[k] = (viper_scalar)(size * (least * d[k] / length + across * n[k]));
}

/// Appends a row that begins as `row` says; null without memory.
static viper_contact_row *append(viper_contact_rows *rows, viper_contact_row row) {
  if (!VB_GROW(rows->row, rows->capacity, rows->n + 1))
    return NULL;
  viper_rows_recall(rows, &row);
  rows->row[rows->n] = row;
  return &rows->row[rows->n++];
}

static bool add_roller(viper_contact_rows *rows, int32_t segment, double arm) {
  if (!VB_GROW(rows->roller, rows->rollers_capacity, rows->n_rollers + 1))
    return false;
  rows->roller[rows->n_rollers++] = (viper_row_roller){.segment = segment, .arm = arm};
  return true;
}

/// Mass of a body over that of one which carries it that PENALTY suffices for.
#define CARRIED 10

/// By how much more than by PENALTY a contact resists where it may carry heavier bodies.
static double carried_by(const viper_contacts *c, const viper_touch *t, int n_nodes) {
  double most = 1;
  for (int k = 0; c->mass_ratio && k < n_nodes; k++)
    most = fmax(most, c->mass_ratio[t->node[k]] / CARRIED);
  return most;
}

static viper_contact_row row_of(const viper_contacts *c, const viper_contact_rows *rows,
                                const viper_touch *t, int n_nodes, viper_friction friction,
                                double inv_h2) {
  const double carried = carried_by(c, t, n_nodes);
  viper_contact_row row = {.n_nodes = n_nodes,
                           .offset = (double)t->offset,
                           .first_roller = rows->n_rollers,
                           .at_rest = (double)friction.at_rest,
                           .sliding = (double)friction.sliding,
                           .penalty = PENALTY * inv_h2 * (double)t->inv_w * carried,
                           .grip = GRIP * inv_h2 * (double)t->inv_w * carried,
                           .push = inv_h2 * (double)t->lambda};
  for (int k = 0; k < n_nodes; k++) {
    row.node[k] = t->node[k];
    row.weight[k] = (double)t->weight[k];
    row.pull[k] = (double)t->pull[k];
    row.reach -= row.pull[k];
  }
  for (int k = 0; k < 3; k++) {
    row.normal[k] = (double)t->n[k];
    row.drag[k] = inv_h2 * (double)t->slide[k];
  }
  return row;
}

static bool add_between(viper_cpu *cpu, viper_contact_rows *rows, viper_touch *t, double inv_h2) {
  const viper_contacts *c = cpu->contacts;
  const viper_friction here = {(viper_scalar)c->settings->static_friction,
                               (viper_scalar)c->settings->kinetic_friction};
  viper_touch_weigh(t, c->node, 4);
  viper_contact_row row = row_of(c, rows, t, 4, viper_touch_friction(t, here, c->friction), inv_h2);
  row.key = UINT64_C(1) << 62 | (uint64_t)t->roller[0].segment << 32 |
            (uint64_t)t->roller[1].segment << 1 | (uint64_t)t->place;
  for (int k = 0; row.at_rest > 0 && c->frame && k < 2; k++, row.n_rollers++)
    if (!add_roller(rows, (int32_t)t->roller[k].segment, (double)t->roller[k].arm))
      return false;
  return append(rows, row) != NULL;
}

static bool add_on_plane(viper_cpu *cpu, viper_contact_rows *rows, const viper_touch *t,
                         double inv_h2) {
  const viper_contacts *c = cpu->contacts;
  const viper_plane *plane = &c->plane[t->which];
  const int32_t i = t->node[0];
  viper_contact_row row =
      row_of(c, rows, t, 1, viper_plane_friction(t, plane, c->friction), inv_h2);
  const viper_vec4 carried = viper_plane_displacement(plane, c->node[i].x);
  row.key = UINT64_C(2) << 62 | (uint64_t)i << 31 | (uint64_t)t->which;
  for (int k = 0; k < 3; k++)
    row.carried[k] = (double)carried[k];
  for (int32_t k = c->roller_first && row.at_rest > 0 ? c->roller_first[i] : 0;
       c->roller_first && row.at_rest > 0 && k < c->roller_first[i + 1]; k++, row.n_rollers++)
    if (!add_roller(rows, (int32_t)c->roller[k].segment,
                    (double)c->roller[k].arm * (double)t->roller[0].arm))
      return false;
  return append(rows, row) != NULL;
}

static bool add_limit(viper_cpu *cpu, viper_contact_rows *rows, const viper_limit *limit,
                      double inv_h2) {
  const viper_contact_node *x = &cpu->contacts->node[limit->node];
  const viper_contact_row row = {.key = UINT64_C(3) << 62 | (uint64_t)limit->node,
                                 .n_nodes = 1,
                                 .node = {limit->node},
                                 .pull = {1},
                                 .offset = (double)x->least[3],
                                 .first_roller = rows->n_rollers,
                                 .reach = 1,
                                 .penalty = PENALTY * inv_h2 / (double)x->inverse[3],
                                 .push = inv_h2 * (double)limit->lambda};
  return append(rows, row) != NULL;
}

/// The rows of the contacts that were found last, of a new substep the `first`; false without
/// memory.
static bool list_rows(viper_cpu *cpu, viper_contact_rows *rows, double inv_h2, bool first) {
  viper_contacts *c = cpu->contacts;
  bool well = viper_rows_begin(rows, first);
  for (size_t k = 0; well && k < c->touch.n; k++)
    well = add_between(cpu, rows, &c->touch.touch[k], inv_h2);
  for (size_t k = 0; well && k < c->rest.n; k++)
    well = add_on_plane(cpu, rows, &c->rest.touch[k], inv_h2);
  for (int32_t k = 0; well && k < c->n_limits; k++)
    well = add_limit(cpu, rows, &c->limit[k], inv_h2);
  return well;
}

/// The same, once their normals were turned.
static bool make_rows(viper_cpu *cpu, viper_contact_rows *rows, double inv_h2, bool first) {
  viper_contacts *c = cpu->contacts;
  for (size_t k = 0; !c->beyond && k < c->touch.n; k++)
    turn_normal(c, &c->touch.touch[k]);
  return list_rows(cpu, rows, inv_h2, first);
}

/// The rows of a Newton step from the end of a substep; false without memory.
static bool list_closed(viper_cpu *cpu, viper_contact_rows *rows, double inv_h2) {
  if (!list_rows(cpu, rows, inv_h2, true))
    return false;
  for (size_t i = 0; i < rows->n; i++) {
    rows->row[i].penalty *= VIPER_CLOSED / PENALTY;
    rows->row[i].grip *= VIPER_CLOSED / GRIP;
  }
  return true;
}

/// Notes what a row pushed at its contact and at its nodes, as passes do (times h^2).
static void note_touch(viper_contacts *c, const viper_contact_row *row, viper_touch *t, double h2) {
  t->lambda = (viper_scalar)(h2 * row->force);
  for (int k = 0; k < 3; k++)
    t->slide[k] = (viper_scalar)(h2 * row->friction[k]);
  for (int k = 0; k < row->n_nodes; k++) {
    viper_contact_node *x = &c->node[row->node[k]];
    x->push += x->inverse * (t->lambda * viper_touch_slope(t, k) + t->weight[k] * t->slide);
  }
}

static void note_rolls(viper_contacts *c, const viper_contact_rows *rows,
                       const viper_contact_row *row) {
  for (size_t k = row->first_roller; k < row->first_roller + row->n_rollers; k++) {
    const viper_row_roller *r = &rows->roller[k];
    for (int d = 0; d < 3; d++)
      c->frame_push[r->segment] += r->slope[d] * row->friction[d];
  }
}

static viper_vec4 to_vec4(const double *x) {
  return viper_vec4_make((viper_scalar)x[0], (viper_scalar)x[1], (viper_scalar)x[2],
                         (viper_scalar)x[3]);
}

/// Leaves what passes would have left: nodes and frames as contacts know them, multipliers, and
/// what they pushed.
static void note_results(viper_cpu *cpu, const viper_contact_state *x,
                         const viper_contact_rows *rows, double h2) {
  viper_contacts *c = cpu->contacts;
  const viper_contact_row *row = rows->row;
  for (size_t i = 0; i < cpu->model->n_nodes; i++) {
    c->node[i].x = to_vec4(x->node + 4 * i);
    c->node[i].push = viper_vec4_make(0, 0, 0, 0);
  }
  memset(c->frame_push, 0, cpu->model->n_segments * sizeof *c->frame_push);
  for (int32_t k = 0; k < c->n_rolling; k++) {
    const int32_t j = c->rolling[k];
    viper_frame_read(&c->frame[j], to_vec4(x->frame + 4 * (size_t)j));
    c->frame[j].roll.torque = 0;
  }
  for (size_t k = 0; k < c->touch.n; k++)
    note_touch(c, row++, &c->touch.touch[k], h2);
  for (size_t k = 0; k < c->rest.n; k++)
    note_touch(c, row++, &c->rest.touch[k], h2);
  for (int32_t k = 0; k < c->n_limits; k++, row++) {
    viper_contact_node *node = &c->node[c->limit[k].node];
    c->limit[k].lambda = (viper_scalar)(h2 * row->force);
    node->push[3] += node->inverse[3] * c->limit[k].lambda;
  }
  for (size_t i = 0; i < rows->n; i++)
    note_rolls(c, rows, &rows->row[i]);
}

/// Newton steps, each with the contacts at the state that it begins at.
static vb_status iterate(viper_cpu *cpu, const viper_settings *settings, double h,
                         vb_error *error) {
  viper_contacts *c = cpu->contacts;
  viper_contact_state *x = viper_contact_newton_state(c->newton);
  viper_contact_rows *rows = viper_contact_newton_rows(c->newton);
  const double speed = c->speed;
  bool done = false;
  vb_status status = VB_OK;
  for (int k = 0, begun = 0; k < settings->iterations && !status && !done; k++) {
    if (k > 0 && viper_contact_newton_is_lost(c->newton)) {
      viper_contact_newton_restore(c->newton);
      begun = k;
    }
    const int step = k - begun;
    if (k > 0 && step <= MOST_RENEWALS) {
      write_state(cpu, x);
      status = viper_contact_detect(cpu, settings, error);
    }
    if (!status && step <= MOST_RENEWALS && !make_rows(cpu, rows, 1 / (h * h), step == 0))
      status = vb_error_memory(error);
    if (!status && step == 0)
      viper_contact_newton_begin(c->newton, &cpu->boundary, k == 0 ? (double)c->warm_start : 0, h);
    if (!status)
      status = viper_contact_newton_step(c->newton, settings->tolerance, &done, error);
  }
  c->speed = speed;
  return status;
}

/// The bundles that are rows, too; null without.
static const viper_bundles *bundles_of(const viper_cpu *cpu) {
  return cpu->bundled.row_force ? &cpu->bundled.rest : NULL;
}

vb_status viper_contact_solve(viper_cpu *cpu, const viper_settings *settings,
                              const viper_cpu_substep *step, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  const double h = step->h;
  vb_status status = VB_OK;
  if (!c->newton)
    status = viper_contact_newton_create(cpu->model, bundles_of(cpu), &c->newton, error);
  if (status)
    return status;
  viper_contact_state *x = viper_contact_newton_state(c->newton);
  read_state(cpu, x);
  viper_bundle_newton_begin(cpu, c->newton);
  status = iterate(cpu, settings, h, error);
  if (status)
    return status;
  write_state(cpu, x);
  note_results(cpu, x, viper_contact_newton_rows(c->newton), h * h);
  viper_contact_finish(cpu, settings);
  if (bundles_of(cpu))
    viper_bundle_newton_end(cpu, c->newton, h);
  return VB_OK;
}

vb_status viper_contact_distance(void *self, double h, double *out, vb_error *error) {
  viper_cpu *cpu = self;
  viper_contacts *c = cpu->contacts;
  vb_status status = VB_OK;
  *out = NAN;
  if (!c)
    return viper_bundle_newton_distance(cpu, h, out, error);
  if (!c->solved || c->average)
    return VB_OK;
  if (!c->newton)
    status = viper_contact_newton_create(cpu->model, bundles_of(cpu), &c->newton, error);
  if (status)
    return status;
  read_state(cpu, viper_contact_newton_state(c->newton));
  if (bundles_of(cpu))
    viper_bundle_newton_look(cpu, c->newton, h);
  if (!list_closed(cpu, viper_contact_newton_rows(c->newton), 1 / (h * h)))
    return vb_error_memory(error);
  const viper_contact_before before = {cpu->node_hat0, c->frame_push};
  return viper_contact_newton_distance(c->newton, &before, &cpu->boundary, h, out, error);
}
