// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/pass.h"
#include "reference/umetani/step.h"

#define LANES 1
#define TARGET
#define SQRT(x) sqrt(x)
#include "reference/umetani/kernel.h"

/// Enforces a constraint of which a point is held in part.
static void enforce(const umetani_pass *s, const umetani_element *e, umetani_grouping grouping,
                    double *lambda, double step[3]) {
  umetani_enforce(e, s->rods->weights, s->rods->weight, &s->settings->law, grouping, s->state->x,
                  lambda, s->state->impulse, step);
}

/// Length, bisector and distance, one after the other.
void umetani_enforce_edge(const umetani_pass *s, int32_t i) {
  umetani_element e;
  for (int kind = UMETANI_LENGTH; kind <= UMETANI_DISTANCE; kind++)
    if (umetani_edge_element(&s->rods->edge[i], s->state->length[i], (umetani_edge_kind)kind,
                             &s->settings->law, s->state->x, &e))
      enforce(s, &e, UMETANI_BLOCK, &s->state->edge[i][kind], NULL);
}

/// Adds what the first `n` of an element's points are pushed by to the impulses of those that are
/// held.
static void add_push(const umetani_pass *s, const int32_t *at, int n, double (*push)[3]) {
  for (int p = 0; p < n; p++)
    if (s->rods->weight[at[p]] == 0)
      vb_add_scaled(s->state->impulse[at[p]], 1, push[p], s->state->impulse[at[p]]);
}

/// The same of an edge whose points are free or wholly held.
static void project_edge(const umetani_pass *s, int32_t i) {
  const umetani_edge *edge = &s->rods->edge[i];
  const umetani_law *law = &s->settings->law;
  const double *w = s->rods->weight;
  double wab = w[edge->point[0]] + w[edge->point[1]], soft = umetani_length_compliance(edge, law);
  umetani_edge_1 e = {s->state->length[i],
                      edge->ghost,
                      soft,
                      1 / (wab + soft),
                      1 / (w[edge->point[2]] + 0.25 * wab),
                      {0}};
  memcpy(e.lambda, s->state->edge[i], sizeof e.lambda);
  bool stretches = law->inextensible || !law->xpbd || edge->stiffness > 0;
  if (edge->held) {
    double push[2][3] = {{0}};
    umetani_project_edge_1(edge->point, law, stretches, w, &e, s->state->x, push);
    add_push(s, edge->point, 2, push);
  } else {
    umetani_project_edge_1(edge->point, law, stretches, w, &e, s->state->x, NULL);
  }
  memcpy(s->state->edge[i], e.lambda, sizeof e.lambda);
}

/// C^BT of a joint that is held in part, or that is not solved as a block.
void umetani_enforce_joint(const umetani_pass *s, int32_t i) {
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

/// C^BT of a joint whose points are free or wholly held, its three components at once.
static void project_joint(const umetani_pass *s, int32_t i) {
  const umetani_joint *joint = &s->rods->joint[i];
  umetani_joint_1 j = {joint->lb, 2 / joint->lb, {0}, {0}, {0}};
  memcpy(j.rest, joint->rest, sizeof j.rest);
  memcpy(j.lambda, s->state->joint[i], sizeof j.lambda);
  for (int k = 0; k < 3; k++)
    j.soft[k] = umetani_joint_compliance(joint, s->scratch->alpha[i], &s->settings->law, k);
  const umetani_law *law = &s->settings->law;
  if (joint->held) {
    double push[3][3] = {{0}};
    umetani_project_joint_1(joint->point, law, s->rods->weight, &j, s->state->x, push);
    add_push(s, joint->point, 3, push);
  } else {
    umetani_project_joint_1(joint->point, law, s->rods->weight, &j, s->state->x, NULL);
  }
  memcpy(s->state->joint[i], j.lambda, sizeof j.lambda);
}

static void enforce_hub(const umetani_pass *s, int32_t i) {
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
void umetani_enforce_hold(const umetani_pass *s, int32_t i) {
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
static void shuffle(const umetani_pass *s, int32_t b, double visit) {
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
  const umetani_pass s = {rods, settings, state, scratch};
  const umetani_body *body = &rods->body[b];
  const int32_t *edge = scratch->edge_order + body->first_edge;
  const int32_t *joint = scratch->joint_order + body->first_joint;
  if (settings->order == UMETANI_RANDOM)
    shuffle(&s, b, visit);
  for (int32_t i = 0; i < body->n_edges; i++) {
    if (rods->edge[edge[i]].held == UMETANI_PARTLY)
      umetani_enforce_edge(&s, edge[i]);
    else
      project_edge(&s, edge[i]);
  }
  bool block = settings->law.grouping == UMETANI_BLOCK;
  for (int32_t i = 0; i < body->n_joints; i++) {
    const umetani_joint *j = &rods->joint[joint[i]];
    bool soft = settings->law.xpbd && !(j->k[0] > 0 && j->k[1] > 0 && j->k[2] > 0);
    if (!block || j->held == UMETANI_PARTLY || soft)
      umetani_enforce_joint(&s, joint[i]);
    else
      project_joint(&s, joint[i]);
  }
  for (int32_t i = 0; i < body->n_hubs; i++)
    enforce_hub(&s, body->first_hub + i);
  for (int32_t i = 0; i < body->n_holds; i++)
    umetani_enforce_hold(&s, body->first_hold + i);
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
  for (size_t i = 0; i < rods->n_anchors; i++) {
    umetani_anchor_place(&rods->anchor[i], x, &e);
    visit(context, 7, UMETANI_BLOCK, &e, state->anchor_place[i]);
    if (umetani_anchor_turn(&rods->anchor[i], law, x, &e))
      visit(context, 8, grouping, &e, state->anchor_turn[i]);
  }
}
