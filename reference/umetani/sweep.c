// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/compact.h"
#include "reference/umetani/step.h"

/// What a sweep works on.
typedef struct sweep {
  const umetani_rods *rods;
  const umetani_settings *settings;
  umetani_state *state;
  umetani_scratch *scratch;
} sweep;

/// Enforces a constraint of which a point is held.
static void enforce(const sweep *s, const umetani_element *e, umetani_grouping grouping,
                    double *lambda, double step[3]) {
  umetani_enforce(e, s->rods->weights, s->rods->weight, &s->settings->law, grouping, s->state->x,
                  lambda, s->state->impulse, step);
}

/// Length, bisector and distance of an edge that has a held point, one after the other.
static void enforce_edge(const sweep *s, int32_t i) {
  umetani_element e;
  for (int kind = UMETANI_LENGTH; kind <= UMETANI_DISTANCE; kind++)
    if (umetani_edge_element(&s->rods->edge[i], s->state->length[i], (umetani_edge_kind)kind,
                             &s->settings->law, s->state->x, &e))
      enforce(s, &e, UMETANI_BLOCK, &s->state->edge[i][kind], NULL);
}

/// The same of an edge without one: C^L, C^P, C^D of eqs. 18 to 20.
static void project_edge(const sweep *s, int32_t i) {
  const umetani_edge *edge = &s->rods->edge[i];
  const umetani_law *law = &s->settings->law;
  double *a = s->state->x[edge->point[0]], *b = s->state->x[edge->point[1]];
  double *g = s->state->x[edge->point[2]], *lambda = s->state->edge[i];
  const double *w = s->rods->weight;
  double wa = w[edge->point[0]], wb = w[edge->point[1]], wg = w[edge->point[2]];
  double length = s->state->length[i], t[3];
  vb_subtract(b, a, t);
  double l = sqrt(vb_dot(t, t));
  if (!(l > 1e-12 * length))
    return;
  double at = law->xpbd && !law->inextensible ? edge->length / edge->stiffness * law->inv_h2 : 0;
  double r = law->xpbd ? l - length + at * lambda[0] : law->stretch * (l - length);
  if (law->inextensible || !law->xpbd || edge->stiffness > 0) {
    double step = -r / (wa + wb + at), unit = step / l;
    lambda[0] += step;
    vb_add_scaled(a, -wa * unit, t, a);
    vb_add_scaled(b, wb * unit, t, b);
  }
  double ag[3], gb[3], arm[3];
  for (int k = 0; k < 3; k++) {
    t[k] = b[k] - a[k];
    ag[k] = a[k] - g[k];
    gb[k] = g[k] - b[k];
    arm[k] = 0.5 * (gb[k] - ag[k]);
  }
  double step = -vb_dot(arm, t) / (wa * vb_dot(ag, ag) + wb * vb_dot(gb, gb) + wg * vb_dot(t, t));
  lambda[1] += step;
  vb_add_scaled(a, wa * step, ag, a);
  vb_add_scaled(b, wb * step, gb, b);
  vb_add_scaled(g, wg * step, t, g);
  for (int k = 0; k < 3; k++)
    arm[k] = g[k] - 0.5 * (a[k] + b[k]);
  double d = sqrt(vb_dot(arm, arm));
  if (!(d > 1e-12 * length))
    return;
  step = -(d - edge->ghost) / (wg + 0.25 * (wa + wb));
  lambda[2] += step;
  vb_add_scaled(g, wg * step / d, arm, g);
  vb_add_scaled(a, -0.5 * wa * step / d, arm, a);
  vb_add_scaled(b, -0.5 * wb * step / d, arm, b);
}

/// C^BT of a joint of which a point is held, or that is not solved as a block.
static void enforce_joint(const sweep *s, int32_t i) {
  umetani_element e;
  umetani_grouping grouping = s->settings->law.grouping;
  int turns = grouping == UMETANI_SCALAR ? 3 : 1;
  for (int turn = 0; turn < turns; turn++) {
    if (!umetani_joint_element(&s->rods->joint[i], s->scratch->alpha[i], &s->settings->law,
                               s->state->x, &e))
      return;
    if (turns > 1)
      e.rows &= UINT32_C(1) << turn;
    if (e.rows)
      enforce(s, &e, grouping, s->state->joint[i], NULL);
  }
}

/// lb^2 G^-1 diag(at) G^-T, added to S; see compact.h.
static void add_compliance(const double c[3], double lb, const double at[3], double s[6]) {
  double column[3][3];
  for (int m = 0; m < 3; m++) { // the columns of G^-1
    const double unit[3] = {m == 0, m == 1, m == 2};
    umetani_inverse_g(c, lb, unit, column[m]);
  }
  for (int i = 0, n = 0; i < 3; i++)
    for (int k = i; k < 3; k++, n++)
      for (int m = 0; m < 3; m++)
        s[n] += at[m] * column[m][i] * column[m][k];
}

/// C^BT of a joint without a held point, its three components at once (eq. 21).
static void project_joint(const sweep *s, int32_t i) {
  const umetani_joint *j = &s->rods->joint[i];
  const int32_t *at = j->point;
  const double *weight = s->rods->weight, *alpha = s->scratch->alpha[i];
  const umetani_law *law = &s->settings->law;
  double(*x)[3] = s->state->x, *lambda = s->state->joint[i];
  const double w[5] = {weight[at[0]], weight[at[1]], weight[at[2]], weight[at[3]], weight[at[4]]};
  double least = 1e-12 * j->lb, q[3][3], c[3], r[3], m[6], y[3], change[3];
  umetani_frame f[2];
  bool whole = umetani_frame_of(x[at[0]], x[at[1]], x[at[3]], least, &f[0]);
  whole = umetani_frame_of(x[at[1]], x[at[2]], x[at[4]], least, &f[1]) && whole;
  umetani_relative(f[0].d, f[1].d, q);
  if (!whole || !(1 + q[0][0] + q[1][1] + q[2][2] > 1e-12))
    return;
  umetani_tangent(q, c);
  const umetani_lever lever[2] = {umetani_lever_of(&f[0]), umetani_lever_of(&f[1])};
  umetani_joint_matrix(q, &lever[0], &lever[1], w, m);
  double soft[3];
  for (int k = 0; k < 3; k++) {
    double error = 2 / j->lb * c[k] - j->rest[k];
    soft[k] = law->xpbd ? law->inv_h2 / (j->k[k] * j->lb) : 0;
    r[k] = law->xpbd ? error + soft[k] * lambda[k] : alpha[k] * error;
  }
  if (law->xpbd)
    add_compliance(c, j->lb, soft, m);
  umetani_inverse_g(c, -j->lb, r, r);
  if (!umetani_solve_symmetric(m, r, y))
    return;
  const double back[3] = {-c[0], -c[1], -c[2]};
  umetani_inverse_g(back, j->lb, y, change);
  for (int k = 0; k < 3; k++)
    lambda[k] += change[k];
  umetani_joint_move(f, lever, (const double(*)[3])q, w, y, at, x);
}

static void enforce_hub(const sweep *s, int32_t i) {
  const umetani_hub *hub = &s->rods->hub[i];
  const umetani_law *law = &s->settings->law;
  umetani_element e;
  for (int kind = 0; kind < 3; kind++)
    if (umetani_hub_element(hub, kind, s->state->x, &e))
      enforce(s, &e, UMETANI_BLOCK, &s->state->hub[i][kind], NULL);
  for (int32_t k = hub->first_attachment; k < hub->first_attachment + hub->n_attachments; k++)
    for (int turn = 0, turns = law->grouping == UMETANI_SCALAR ? 3 : 1; turn < turns; turn++) {
      if (!umetani_attachment_element(&s->rods->attachment[k], law, s->state->x, &e))
        continue;
      if (turns > 1)
        e.rows &= UINT32_C(1) << turn;
      if (e.rows)
        enforce(s, &e, law->grouping, s->state->attachment[k], NULL);
    }
}

/// A held frame is enforced whole: alpha is 1, and there is no compliance. Its points have no sum
/// of forces from it, only a torque.
static void enforce_hold(const sweep *s, int32_t i) {
  umetani_element e;
  double change[3] = {0}, torque[3];
  const double(*target)[3] = (const double(*)[3])s->scratch->target[i];
  if (!umetani_hold_element(&s->rods->hold[i], target, s->state->x, &e))
    return;
  double before[3][3];
  for (int p = 0; p < 3; p++)
    memcpy(before[p], s->state->x[e.point[p]], sizeof before[p]);
  enforce(s, &e, UMETANI_BLOCK, s->state->hold[i], change);
  umetani_torque(&e, change, before, torque);
  vb_add_scaled(s->state->torque[i], 1, torque, s->state->torque[i]);
}

/// New permutations for a body: of its edges, and of its joints.
static void shuffle(const sweep *s, int32_t b, double visit) {
  const umetani_body *body = &s->rods->body[b];
  uint64_t seed = (uint64_t)visit * s->rods->n_bodies + (uint64_t)b;
  int32_t *edge = s->scratch->edge_order + body->first_edge;
  int32_t *joint = s->scratch->joint_order + body->first_joint;
  for (int32_t i = 0; i < body->n_edges; i++)
    edge[i] = body->first_edge + i;
  for (int32_t i = 0; i < body->n_joints; i++)
    joint[i] = body->first_joint + i;
  umetani_shuffle(2 * seed, body->n_edges, edge);
  umetani_shuffle(2 * seed + 1, body->n_joints, joint);
}

void umetani_sweep(const umetani_rods *rods, const umetani_settings *settings, int32_t b,
                   double visit, umetani_state *state, umetani_scratch *scratch) {
  const sweep s = {rods, settings, state, scratch};
  const umetani_body *body = &rods->body[b];
  const int32_t *edge = scratch->edge_order + body->first_edge;
  const int32_t *joint = scratch->joint_order + body->first_joint;
  if (settings->order == UMETANI_RANDOM)
    shuffle(&s, b, visit);
  for (int32_t i = 0; i < body->n_edges; i++) {
    if (rods->edge[edge[i]].held)
      enforce_edge(&s, edge[i]);
    else
      project_edge(&s, edge[i]);
  }
  bool block = settings->law.grouping == UMETANI_BLOCK;
  for (int32_t i = 0; i < body->n_joints; i++) {
    const umetani_joint *j = &rods->joint[joint[i]];
    bool soft = settings->law.xpbd && !(j->k[0] > 0 && j->k[1] > 0 && j->k[2] > 0);
    if (!block || j->held || soft)
      enforce_joint(&s, joint[i]);
    else
      project_joint(&s, joint[i]);
  }
  for (int32_t i = 0; i < body->n_hubs; i++)
    enforce_hub(&s, body->first_hub + i);
  for (int32_t i = 0; i < body->n_holds; i++)
    enforce_hold(&s, body->first_hold + i);
}

void umetani_visit_all(const umetani_rods *rods, const umetani_settings *settings,
                       double (*target)[3][3], double (*x)[3], double (*alpha)[3],
                       const umetani_state *state, umetani_visit *visit, void *context) {
  const umetani_law *law = &settings->law;
  umetani_grouping grouping = law->grouping;
  umetani_element e;
  for (size_t i = 0; i < rods->n_segments; i++)
    for (int kind = 0; kind < 3; kind++)
      if (umetani_edge_element(&rods->edge[i], state->length[i], (umetani_edge_kind)kind, law, x,
                               &e))
        visit(context, kind, UMETANI_BLOCK, &e, &state->edge[i][kind]);
  for (size_t i = 0; i < rods->n_joints; i++)
    if (umetani_joint_element(&rods->joint[i], alpha[i], law, x, &e))
      visit(context, 3, grouping, &e, state->joint[i]);
  for (size_t i = 0; i < rods->n_hubs; i++)
    for (int kind = 0; kind < 3; kind++)
      if (umetani_hub_element(&rods->hub[i], kind, x, &e))
        visit(context, 4, UMETANI_BLOCK, &e, &state->hub[i][kind]);
  for (size_t i = 0; i < rods->n_attachments; i++)
    if (umetani_attachment_element(&rods->attachment[i], law, x, &e))
      visit(context, 5, grouping, &e, state->attachment[i]);
  for (size_t i = 0; i < rods->n_holds; i++)
    if (umetani_hold_element(&rods->hold[i], (const double(*)[3])target[i], x, &e))
      visit(context, 6, UMETANI_BLOCK, &e, state->hold[i]);
}
