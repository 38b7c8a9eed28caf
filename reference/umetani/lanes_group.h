// SPDX-License-Identifier: GPL-3.0-or-later
/// Iterations of LANES bodies that are connected alike. Included once for each width, after
/// kernel.h with it. No header guard: see there.

/// Bodies in lanes: their points and what kernel.h takes of their edges and joints.
typedef struct IN(group) {
  const umetani_pass *pass;
  const umetani_body *body[LANES];
  int n; ///< bodies; the lanes behind them repeat the last one and are not read
  wide (*x)[3], *weight;
  IN(edge) * edge;
  IN(joint) * joint;
} IN(group);

/// Copies the points `at` of all bodies into the lanes, or those of the bodies out of them.
FN void IN(load_point)(const IN(group) * g, int32_t at) {
  for (int lane = 0; lane < LANES; lane++)
    for (int k = 0; k < 3; k++)
      g->x[at][k][lane] = g->pass->state->x[g->body[lane]->first_point + at][k];
}
FN void IN(store_point)(const IN(group) * g, int32_t at) {
  for (int lane = 0; lane < g->n; lane++)
    for (int k = 0; k < 3; k++)
      g->pass->state->x[g->body[lane]->first_point + at][k] = g->x[at][k][lane];
}

FN void IN(load_edge)(const IN(group) * g, int32_t i) {
  const umetani_pass *pass = g->pass;
  IN(edge) *e = &g->edge[i];
  for (int lane = 0; lane < LANES; lane++) {
    int32_t at = g->body[lane]->first_edge + i;
    const umetani_edge *from = &pass->rods->edge[at];
    const int32_t *p = from->point;
    const double *w = pass->rods->weight;
    e->length[lane] = pass->state->length[at];
    e->ghost[lane] = from->ghost;
    e->soft[lane] = umetani_length_compliance(from, &pass->settings->law);
    e->inv_length[lane] = 1 / (w[p[0]] + w[p[1]] + e->soft[lane]);
    e->inv_ghost[lane] = 1 / (w[p[2]] + 0.25 * (w[p[0]] + w[p[1]]));
    for (int k = 0; k < 3; k++)
      e->lambda[k][lane] = pass->state->edge[at][k];
  }
}

FN void IN(load_joint)(const IN(group) * g, int32_t i) {
  const umetani_pass *pass = g->pass;
  IN(joint) *j = &g->joint[i];
  for (int lane = 0; lane < LANES; lane++) {
    int32_t at = g->body[lane]->first_joint + i;
    const umetani_joint *from = &pass->rods->joint[at];
    j->lb[lane] = from->lb;
    j->factor[lane] = 2 / from->lb;
    for (int k = 0; k < 3; k++) {
      j->rest[k][lane] = from->rest[k];
      j->soft[k][lane] =
          umetani_joint_compliance(from, pass->scratch->alpha[at], &pass->settings->law, k);
      j->lambda[k][lane] = pass->state->joint[at][k];
    }
  }
}

/// Lays a group over `memory` and copies its bodies' state in.
FN void IN(load)(IN(group) * g, double *memory) {
  const umetani_body *body = g->body[0];
  g->x = (wide(*)[3])(void *)memory;
  g->weight = (wide *)(g->x + body->n_points);
  g->edge = (IN(edge) *)(void *)(g->weight + body->n_points);
  g->joint = (IN(joint) *)(void *)(g->edge + body->n_edges);
  for (int32_t p = 0; p < body->n_points; p++) {
    IN(load_point)(g, p);
    for (int lane = 0; lane < LANES; lane++)
      g->weight[p][lane] = g->pass->rods->weight[g->body[lane]->first_point + p];
  }
  for (int32_t i = 0; i < body->n_edges; i++)
    IN(load_edge)(g, i);
  for (int32_t i = 0; i < body->n_joints; i++)
    IN(load_joint)(g, i);
}

/// Copies the state back; the multipliers of elements that are held in part are there already.
FN void IN(store)(const IN(group) * g) {
  const umetani_pass *pass = g->pass;
  for (int32_t p = 0; p < g->body[0]->n_points; p++)
    IN(store_point)(g, p);
  for (int32_t i = 0; i < g->body[0]->n_edges; i++)
    for (int lane = 0;
         lane < g->n && pass->rods->edge[g->body[0]->first_edge + i].held != UMETANI_PARTLY; lane++)
      for (int k = 0; k < 3; k++)
        pass->state->edge[g->body[lane]->first_edge + i][k] = g->edge[i].lambda[k][lane];
  for (int32_t i = 0; i < g->body[0]->n_joints; i++)
    for (int lane = 0;
         lane < g->n && pass->rods->joint[g->body[0]->first_joint + i].held != UMETANI_PARTLY;
         lane++)
      for (int k = 0; k < 3; k++)
        pass->state->joint[g->body[lane]->first_joint + i][k] = g->joint[i].lambda[k][lane];
}

/// Adds what the first `n` of an element's points are pushed by to the impulses of those that are
/// held.
FN void IN(add_push)(const IN(group) * g, const int32_t *at, int n, wide (*push)[3]) {
  for (int p = 0; p < n; p++)
    for (int lane = 0; lane < g->n; lane++)
      for (int k = 0; k < 3 && g->weight[at[p]][lane] == 0; k++)
        g->pass->state->impulse[g->body[lane]->first_point + at[p]][k] += push[p][k][lane];
}

/// An element that is held in part, one body after the other.
FN void IN(enforce)(const IN(group) * g, const int32_t *at, int n_points,
                    void (*one)(const umetani_pass *, int32_t), const int32_t first[LANES]) {
  for (int p = 0; p < n_points; p++)
    IN(store_point)(g, at[p]);
  for (int lane = 0; lane < g->n; lane++)
    one(g->pass, first[lane]);
  for (int p = 0; p < n_points; p++)
    IN(load_point)(g, at[p]);
}

FN void IN(visit_edge)(const IN(group) * g, int32_t i) {
  const umetani_edge *edge = &g->pass->rods->edge[g->body[0]->first_edge + i];
  int32_t at[3], own[LANES] = {0};
  for (int p = 0; p < 3; p++)
    at[p] = edge->point[p] - g->body[0]->first_point;
  for (int lane = 0; lane < LANES; lane++)
    own[lane] = g->body[lane]->first_edge + i;
  wide push[2][3] = {{{0}}};
  const umetani_law *law = &g->pass->settings->law;
  if (edge->held == UMETANI_PARTLY)
    IN(enforce)(g, at, 3, umetani_enforce_edge, own);
  else if (edge->held)
    IN(project_edge)(at, law, true, g->weight, &g->edge[i], g->x, push);
  else
    IN(project_edge)(at, law, true, g->weight, &g->edge[i], g->x, NULL);
  if (edge->held == UMETANI_PINNED)
    IN(add_push)(g, at, 2, push);
}

FN void IN(visit_joint)(const IN(group) * g, int32_t i) {
  const umetani_joint *joint = &g->pass->rods->joint[g->body[0]->first_joint + i];
  int32_t at[5], own[LANES] = {0};
  for (int p = 0; p < 5; p++)
    at[p] = joint->point[p] - g->body[0]->first_point;
  for (int lane = 0; lane < LANES; lane++)
    own[lane] = g->body[lane]->first_joint + i;
  wide push[3][3];
  const umetani_law *law = &g->pass->settings->law;
  if (joint->held == UMETANI_PARTLY)
    IN(enforce)(g, at, 5, umetani_enforce_joint, own);
  else if (joint->held)
    IN(project_joint)(at, law, g->weight, &g->joint[i], g->x, push);
  else
    IN(project_joint)(at, law, g->weight, &g->joint[i], g->x, NULL);
  if (joint->held == UMETANI_PINNED)
    IN(add_push)(g, at, 3, push);
}

FN void IN(visit_hold)(const IN(group) * g, int32_t i) {
  const umetani_hold *hold = &g->pass->rods->hold[g->body[0]->first_hold + i];
  int32_t at[3], own[LANES] = {0};
  for (int p = 0; p < 3; p++)
    at[p] = hold->point[p] - g->body[0]->first_point;
  for (int lane = 0; lane < LANES; lane++)
    own[lane] = g->body[lane]->first_hold + i;
  IN(enforce)(g, at, 3, umetani_enforce_hold, own);
}

/// `visits` iterations of up to LANES bodies from `first` on.
static TARGET void IN(sweep)(const umetani_pass *pass, int32_t first, int32_t n, int visits,
                             double *memory) {
  const umetani_rods *rods = pass->rods;
  IN(group) g = {.pass = pass, .n = n < LANES ? n : LANES};
  for (int lane = 0; lane < LANES; lane++)
    g.body[lane] = &rods->body[first + (lane < g.n ? lane : g.n - 1)];
  const umetani_body *body = g.body[0];
  const int32_t *edge = pass->scratch->edge_order + body->first_edge;
  const int32_t *joint = pass->scratch->joint_order + body->first_joint;
  IN(load)(&g, memory);
  for (; visits > 0; visits--) {
    for (int32_t i = 0; i < body->n_edges; i++)
      IN(visit_edge)(&g, edge[i] - body->first_edge);
    for (int32_t i = 0; i < body->n_joints; i++)
      IN(visit_joint)(&g, joint[i] - body->first_joint);
    for (int32_t i = 0; i < body->n_holds; i++)
      IN(visit_hold)(&g, i);
  }
  IN(store)(&g);
}
