// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct`: Gauss-Newton on Phi, with the stiffness of frames under tension
/// (viper/energy/tension.h), and backtracking; every step by an exact block Cholesky factorization
/// along the graph (viper/elimination.h).
#include "viper/cpu/cpu_real.h"
#include "viper/energy/tension.h"

#include <stdlib.h>
#include <string.h>

/// Halvings of a step before it is given up.
#define MAX_HALVINGS 30
/// Part of the decrease that the slope promises which a step must bring (Armijo).
#define SUFFICIENT 1e-4

vb_status viper_direct_create(const viper_model *model, const viper_elimination *elimination,
                              viper_direct *out, vb_error *error) {
  viper_direct d = {.elimination = elimination};
  size_t n = elimination->n_columns;
  d.diagonal = calloc(n + 1, sizeof *d.diagonal);
  d.block = calloc(elimination->n_blocks + 1, sizeof *d.block);
  d.gradient = calloc(n + 1, sizeof *d.gradient);
  d.move = calloc(n + 1, sizeof *d.move);
  d.node_start = malloc((model->n_nodes + 1) * sizeof *d.node_start);
  d.frame_start = malloc((model->n_segments + 1) * sizeof *d.frame_start);
  if (!d.diagonal || !d.block || !d.gradient || !d.move || !d.node_start || !d.frame_start) {
    viper_direct_destroy(&d);
    return vb_error_memory(error);
  }
  *out = d;
  return VB_OK;
}

void viper_direct_destroy(viper_direct *d) {
  free(d->diagonal);
  free(d->block);
  free(d->gradient);
  free(d->move);
  free(d->node_start);
  free(d->frame_start);
}

static int32_t node_column(const viper_cpu *cpu, int32_t i) {
  return cpu->direct.elimination->column_of[i];
}

static int32_t frame_column(const viper_cpu *cpu, int32_t j) {
  return cpu->direct.elimination->column_of[(int32_t)cpu->model->n_nodes + j];
}

/// Adds the part of a local n x n matrix that couples two vertices to its block: rows `row` and up
/// belong to the first vertex from its component `row_at`, columns likewise to the second.
static void scatter(viper_direct *d, int32_t reference, const viper_real *h, int n, int row,
                    int n_rows, int row_at, int col, int n_cols, int col_at) {
  viper_block *block = &d->block[reference >= 0 ? reference : ~reference];
  for (int r = 0; r < n_rows; r++)
    for (int c = 0; c < n_cols; c++) {
      viper_real value = h[(row + r) * n + col + c];
      if (reference >= 0)
        block->a[row_at + r][col_at + c] += value;
      else
        block->a[col_at + c][row_at + r] += value;
    }
}

/// Adds a vertex's own part, and its gradient.
static void scatter_own(viper_direct *d, int32_t column, const viper_real *h, const viper_real *g,
                        int n, int row, int n_rows, int row_at) {
  for (int r = 0; r < n_rows; r++) {
    d->gradient[column][row_at + r] += g[row + r];
    for (int c = 0; c < n_rows; c++)
      d->diagonal[column].a[row_at + r][row_at + c] += h[(row + r) * n + row + c];
  }
}

/// Makes the lower triangle of a local matrix whole, with pinned unknowns (free 0) left out.
static void complete(viper_real *h, viper_real *g, const viper_real *free, int n) {
  for (int i = 0; i < n; i++) {
    g[i] *= free[i];
    for (int j = 0; j <= i; j++) {
      h[i * n + j] *= free[i] * free[j];
      h[j * n + i] = h[i * n + j];
    }
  }
}

/// Phase function: the block of segment `j`.
static void assemble_segment(viper_cpu *cpu, int32_t j) {
  enum { N = VIPER_SEGMENT_UNKNOWNS };
  viper_direct *d = &cpu->direct;
  viper_segment_state x = viper_segment_load(cpu, j);
  viper_real g[N] = {0}, h[N][N] = {{0}}, free[N];
  const int32_t *node = cpu->model->segment[j].node;
#define ADD(name, NAME) viper_##name##_add_block(&cpu->segment[j], &x, g, h);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  viper_real tension = viper_segment_tension(&cpu->segment[j], &x);
  h[8][8] += tension;
  h[9][9] += tension;
  viper_node_free(cpu, node[0], free);
  viper_node_free(cpu, node[1], free + 4);
  free[8] = free[9] = free[10] = viper_frame_free(cpu, j) ? VIPER_R(1) : VIPER_R(0);
  complete(&h[0][0], g, free, N);
  const int32_t *reference = d->elimination->segment[j];
  scatter_own(d, node_column(cpu, node[0]), &h[0][0], g, N, 0, 4, 0);
  scatter_own(d, node_column(cpu, node[1]), &h[0][0], g, N, 4, 4, 0);
  scatter_own(d, frame_column(cpu, j), &h[0][0], g, N, 8, 3, 0);
  scatter(d, reference[0], &h[0][0], N, 4, 4, 0, 0, 4, 0);
  scatter(d, reference[1], &h[0][0], N, 8, 3, 0, 0, 4, 0);
  scatter(d, reference[2], &h[0][0], N, 8, 3, 0, 4, 4, 0);
}

/// Phase function: the block of joint `t`.
static void assemble_joint(viper_cpu *cpu, int32_t t) {
  enum { N = VIPER_JOINT_UNKNOWNS };
  viper_direct *d = &cpu->direct;
  viper_joint_state x = viper_joint_load(cpu, t);
  const viper_model_joint *joint = &cpu->model->joint[t];
  viper_real g[N] = {0}, h[N][N] = {{0}}, free[N], node_free[4];
  viper_joint_rest rest = viper_joint_grow(&cpu->joint[t]);
#define ADD(name, NAME) viper_##name##_add_block(&rest, &x, g, h);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  for (int k = 0; k < 3; k++) {
    viper_node_free(cpu, joint->node[k], node_free);
    free[k] = node_free[3];
    free[3 + k] = viper_frame_free(cpu, joint->segment[0]) ? VIPER_R(1) : VIPER_R(0);
    free[6 + k] = viper_frame_free(cpu, joint->segment[1]) ? VIPER_R(1) : VIPER_R(0);
  }
  complete(&h[0][0], g, free, N);
  const int32_t *reference = d->elimination->joint[t];
  scatter_own(d, node_column(cpu, joint->node[1]), &h[0][0], g, N, 1, 1, 3);
  scatter_own(d, frame_column(cpu, joint->segment[0]), &h[0][0], g, N, 3, 3, 0);
  scatter_own(d, frame_column(cpu, joint->segment[1]), &h[0][0], g, N, 6, 3, 0);
  scatter(d, reference[0], &h[0][0], N, 3, 3, 0, 1, 1, 3);
  scatter(d, reference[1], &h[0][0], N, 6, 3, 0, 1, 1, 3);
  scatter(d, reference[2], &h[0][0], N, 6, 3, 0, 3, 3, 0);
  if (cpu->model->joint[t].k[2] <= 0)
    return;
  scatter_own(d, node_column(cpu, joint->node[0]), &h[0][0], g, N, 0, 1, 3);
  scatter_own(d, node_column(cpu, joint->node[2]), &h[0][0], g, N, 2, 1, 3);
  scatter(d, reference[3], &h[0][0], N, 0, 1, 3, 1, 1, 3);
  scatter(d, reference[4], &h[0][0], N, 2, 1, 3, 1, 1, 3);
  scatter(d, reference[5], &h[0][0], N, 2, 1, 3, 0, 1, 3);
}

/// Phase function: the inertial part of node `i` starts its diagonal block; pinned unknowns get
/// a 1.
static void start_node(viper_cpu *cpu, int32_t i, viper_real inv_h2) {
  viper_direct *d = &cpu->direct;
  int32_t column = node_column(cpu, i);
  viper_node_inertia a = viper_node_inertia_load(cpu, i);
  viper_real free[4];
  viper_node_free(cpu, i, free);
  viper_node_inertial_gradient(a, cpu->node[i], cpu->node_hat[i], d->gradient[column]);
  memset(&d->diagonal[column], 0, sizeof d->diagonal[column]);
  for (int k = 0; k < 4; k++) {
    viper_real inertia = k < 3 ? a.mass : a.scale;
    d->gradient[column][k] *= inv_h2 * free[k];
    d->diagonal[column].a[k][k] = free[k] > VIPER_R(0) ? inv_h2 * inertia : VIPER_R(1);
  }
}

/// Phase function: likewise for frame `j`; its idle fourth unknown gets a 1.
static void start_frame(viper_cpu *cpu, int32_t j, viper_real inv_h2) {
  viper_direct *d = &cpu->direct;
  int32_t column = frame_column(cpu, j);
  viper_real g[3], h[3][3];
  bool free = viper_frame_free(cpu, j);
  viper_frame_inertial_block(viper_frame_inertia_load(cpu, j), cpu->frame[j], cpu->frame_hat[j], g,
                             h);
  memset(&d->diagonal[column], 0, sizeof d->diagonal[column]);
  d->gradient[column][3] = VIPER_R(0);
  d->diagonal[column].a[3][3] = VIPER_R(1);
  for (int k = 0; k < 3; k++) {
    d->gradient[column][k] = free ? inv_h2 * g[k] : VIPER_R(0);
    for (int m = 0; m < 3; m++)
      d->diagonal[column].a[k][m] =
          free ? inv_h2 * h[k > m ? k : m][k > m ? m : k] : VIPER_R(k == m);
  }
}

static int32_t first_column(const viper_model_body *body) {
  return body->first_node + body->first_segment;
}

static int32_t end_column(const viper_model_body *body) {
  return first_column(body) + body->n_nodes + body->n_segments;
}

/// Gradient and matrix of a body at its current state.
static void assemble(viper_cpu *cpu, const viper_model_body *body, viper_real h) {
  viper_direct *d = &cpu->direct;
  viper_real inv_h2 = VIPER_R(1) / (h * h);
  int32_t first = d->elimination->first_block[first_column(body)];
  int32_t end = d->elimination->first_block[end_column(body)];
  memset(&d->block[first], 0, (size_t)(end - first) * sizeof *d->block);
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
    start_node(cpu, i, inv_h2);
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++)
    start_frame(cpu, j, inv_h2);
  for (int32_t p = body->first_phase; p < body->first_phase + body->n_phases; p++) {
    const viper_phase *phase = &cpu->model->phase[p];
    for (int32_t e = phase->first; e < phase->first + phase->count; e++) {
      if (phase->joints)
        assemble_joint(cpu, e);
      else
        assemble_segment(cpu, e);
    }
  }
}

/// Cholesky factor of a diagonal block, in its lower triangle. A pivot that rounding made negative
/// is replaced by a rounding error of its diagonal, so the direction stays one of descent.
static void factor_diagonal(viper_block *b) {
  for (int k = 0; k < VIPER_BLOCK; k++) {
    viper_real pivot = b->a[k][k], floor = VIPER_EPSILON * b->a[k][k];
    for (int m = 0; m < k; m++)
      pivot -= b->a[k][m] * b->a[k][m];
    if (!(pivot > floor))
      pivot = floor > VIPER_R(0) ? floor : VIPER_R(1);
    viper_real root = VIPER_SQRT(pivot);
    b->a[k][k] = root;
    for (int i = k + 1; i < VIPER_BLOCK; i++) {
      viper_real sum = b->a[i][k];
      for (int m = 0; m < k; m++)
        sum -= b->a[i][m] * b->a[k][m];
      b->a[i][k] = sum / root;
    }
  }
}

/// b <- b L^-T
static void solve_block(viper_block *b, const viper_block *l) {
  for (int r = 0; r < VIPER_BLOCK; r++)
    for (int k = 0; k < VIPER_BLOCK; k++) {
      viper_real sum = b->a[r][k];
      for (int m = 0; m < k; m++)
        sum -= b->a[r][m] * l->a[k][m];
      b->a[r][k] = sum / l->a[k][k];
    }
}

/// t <- t - x y^T
static void update_block(viper_block *t, const viper_block *x, const viper_block *y) {
  for (int r = 0; r < VIPER_BLOCK; r++)
    for (int c = 0; c < VIPER_BLOCK; c++) {
      viper_real sum = VIPER_R(0);
      for (int k = 0; k < VIPER_BLOCK; k++)
        sum += x->a[r][k] * y->a[c][k];
      t->a[r][c] -= sum;
    }
}

/// Factors the body's matrix in place, column by column.
static void factor(viper_direct *d, const viper_model_body *body) {
  const viper_elimination *e = d->elimination;
  for (int32_t p = first_column(body); p < end_column(body); p++) {
    const int32_t *target = e->target + e->first_target[p];
    factor_diagonal(&d->diagonal[p]);
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++) {
      solve_block(&d->block[i], &d->diagonal[p]);
      update_block(&d->diagonal[e->row[i]], &d->block[i], &d->block[i]);
    }
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
      for (int32_t j = e->first_block[p]; j < i; j++)
        update_block(&d->block[*target++], &d->block[i], &d->block[j]);
  }
}

/// move = -(L L^T)^-1 gradient; returns gradient . move.
static double solve(viper_direct *d, const viper_model_body *body) {
  const viper_elimination *e = d->elimination;
  double slope = 0;
  for (int32_t p = first_column(body); p < end_column(body); p++)
    for (int k = 0; k < VIPER_BLOCK; k++)
      d->move[p][k] = -d->gradient[p][k];
  for (int32_t p = first_column(body); p < end_column(body); p++) {
    viper_real *x = d->move[p];
    for (int k = 0; k < VIPER_BLOCK; k++) {
      for (int m = 0; m < k; m++)
        x[k] -= d->diagonal[p].a[k][m] * x[m];
      x[k] /= d->diagonal[p].a[k][k];
    }
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
      for (int r = 0; r < VIPER_BLOCK; r++)
        for (int k = 0; k < VIPER_BLOCK; k++)
          d->move[e->row[i]][r] -= d->block[i].a[r][k] * x[k];
  }
  for (int32_t p = end_column(body) - 1; p >= first_column(body); p--) {
    viper_real *x = d->move[p];
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
      for (int r = 0; r < VIPER_BLOCK; r++)
        for (int k = 0; k < VIPER_BLOCK; k++)
          x[k] -= d->block[i].a[r][k] * d->move[e->row[i]][r];
    for (int k = VIPER_BLOCK - 1; k >= 0; k--) {
      for (int m = k + 1; m < VIPER_BLOCK; m++)
        x[k] -= d->diagonal[p].a[m][k] * x[m];
      x[k] /= d->diagonal[p].a[k][k];
      slope += (double)x[k] * (double)d->gradient[p][k];
    }
  }
  return slope;
}

/// State <- start + alpha move, scales kept at their lower bound.
static void apply(viper_cpu *cpu, const viper_model_body *body, viper_real alpha) {
  viper_direct *d = &cpu->direct;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    const viper_real *x = d->move[node_column(cpu, i)];
    viper_node_x *node = &cpu->node[i];
    node->c = viper_add(d->node_start[i].c, viper_scale(alpha, viper_vec3_make(x[0], x[1], x[2])));
    node->s = d->node_start[i].s + alpha * x[3];
    if (node->s < VIPER_R(VIPER_MINIMUM_SCALE))
      node->s = VIPER_R(VIPER_MINIMUM_SCALE);
  }
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++) {
    const viper_real *x = d->move[frame_column(cpu, j)];
    cpu->frame[j] =
        viper_quat_turn(d->frame_start[j], viper_scale(alpha, viper_vec3_make(x[0], x[1], x[2])));
  }
}

static void copy_state(const viper_model_body *body, viper_node_x *node, viper_quat *frame,
                       const viper_node_x *from_node, const viper_quat *from_frame) {
  memcpy(node + body->first_node, from_node + body->first_node,
         (size_t)body->n_nodes * sizeof *node);
  memcpy(frame + body->first_segment, from_frame + body->first_segment,
         (size_t)body->n_segments * sizeof *frame);
}

/// What Phi would be if every W and every inertial displacement were as large as the numbers it is
/// the difference of: with the precision's epsilon it tells the rounding error of Phi.
static double phi_scale(const viper_cpu *cpu, const viper_model_body *body, double h) {
  double sum = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
    sum += cpu->model->node[i].mass * (double)viper_dot(cpu->node[i].c, cpu->node[i].c) / (h * h);
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++) {
    const viper_model_segment *m = &cpu->model->segment[j];
    viper_vec3 c = cpu->node[m->node[0]].c;
    sum += (m->k[0] + m->k[3]) * (1 + m->inv_l * m->inv_l * (double)viper_dot(c, c));
  }
  for (int32_t t = body->first_joint; t < body->first_joint + body->n_joints; t++) {
    const viper_model_joint *m = &cpu->model->joint[t];
    sum += (m->k[0] + m->k[1] + m->k[3]) * m->inv_lm * m->inv_lm;
  }
  return 0.5 * sum;
}

/// Moves along the search direction, halving until Phi falls enough; returns the new Phi. Changes
/// of Phi within its rounding error count as none, or the last digits would never be reached.
static double line_search(viper_cpu *cpu, const viper_model_body *body, viper_real h, double phi,
                          double slope, double scale) {
  viper_direct *d = &cpu->direct;
  double epsilon = (double)VIPER_EPSILON;
  double rounding = 4 * epsilon * (sqrt(phi * scale) + epsilon * scale);
  viper_real alpha = VIPER_R(1);
  copy_state(body, d->node_start, d->frame_start, cpu->node, cpu->frame);
  for (int halving = 0; halving < MAX_HALVINGS; halving++, alpha *= VIPER_R(0.5)) {
    apply(cpu, body, alpha);
    double trial = viper_body_phi(cpu, body, h);
    if (trial <= phi + SUFFICIENT * (double)alpha * slope + rounding)
      return trial;
  }
  copy_state(body, cpu->node, cpu->frame, d->node_start, d->frame_start);
  return phi;
}

/// Mean displacement of the prediction, by mass: what a body without pinned centers must keep, so
/// that its momentum is exact wherever the iteration starts.
static viper_vec3 mean_shift(const viper_cpu *cpu, const viper_model_body *body) {
  double sum[3] = {0}, mass = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    viper_vec3 d = viper_sub(cpu->node_hat[i].c, cpu->node_old[i].c);
    double m = cpu->model->node[i].mass;
    mass += m;
    sum[0] += m * (double)d.x;
    sum[1] += m * (double)d.y;
    sum[2] += m * (double)d.z;
  }
  return viper_vec3_make((viper_real)(sum[0] / mass), (viper_real)(sum[1] / mass),
                         (viper_real)(sum[2] / mass));
}

/// Puts the free unknowns of a body where they were before the substep (shifted as a whole where no
/// center is pinned); pinned ones stay at their targets.
static void start_from_old(viper_cpu *cpu, const viper_model_body *body) {
  viper_vec3 shift = body->free_center ? mean_shift(cpu, body) : viper_vec3_make(0, 0, 0);
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    viper_node_x *x = &cpu->node[i], old = cpu->node_old[i];
    viper_real free[4];
    viper_node_free(cpu, i, free);
    old.c = viper_add(old.c, shift);
    x->c.x = free[0] > VIPER_R(0) ? old.c.x : x->c.x;
    x->c.y = free[1] > VIPER_R(0) ? old.c.y : x->c.y;
    x->c.z = free[2] > VIPER_R(0) ? old.c.z : x->c.z;
    x->s = free[3] > VIPER_R(0) ? old.s : x->s;
  }
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++)
    if (viper_frame_free(cpu, j))
      cpu->frame[j] = cpu->frame_old[j];
}

/// Starts at the prediction or at the old state, where Phi is lower: the prediction suits motion,
/// the old state suits steps much longer than the motion's times. Returns Phi there.
static double choose_start(viper_cpu *cpu, const viper_model_body *body, viper_real h) {
  viper_direct *d = &cpu->direct;
  double predicted = viper_body_phi(cpu, body, h);
  copy_state(body, d->node_start, d->frame_start, cpu->node, cpu->frame);
  start_from_old(cpu, body);
  double old = viper_body_phi(cpu, body, h);
  if (old < predicted)
    return old;
  copy_state(body, cpu->node, cpu->frame, d->node_start, d->frame_start);
  return predicted;
}

/// The assembled gradient's norm, weighted by the inverse inertias.
static double gradient_norm(const viper_cpu *cpu, const viper_model_body *body) {
  double sum = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    const viper_real *g = cpu->direct.gradient[node_column(cpu, i)];
    const viper_model_node *m = &cpu->model->node[i];
    for (int k = 0; k < 4; k++)
      sum += (double)g[k] * (double)g[k] / (k < 3 ? m->mass : m->scale_inertia);
  }
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++) {
    const viper_real *g = cpu->direct.gradient[frame_column(cpu, j)];
    sum += (double)((g[0] * g[0] + g[1] * g[1] + VIPER_R(0.5) * g[2] * g[2]) /
                    viper_frame_inertia_load(cpu, j));
  }
  return sqrt(sum);
}

/// The norm that counts as converged: `tolerance` times the start's, or the terms' own forces'
/// where that is larger; negative where there is no early end.
static double target_norm(viper_cpu *cpu, const viper_model_body *body, viper_real h,
                          double tolerance) {
  viper_residual_sums sums = {0};
  if (tolerance <= 0)
    return -1;
  viper_body_gradient(cpu, body, h, cpu->node_force, cpu->frame_force, &sums);
  return tolerance * sqrt(sums.now > sums.term ? sums.now : sums.term);
}

void viper_body_direct(viper_cpu *cpu, const viper_model_body *body, const viper_settings *settings,
                       viper_real h) {
  double phi = settings->continued ? viper_body_phi(cpu, body, h) : choose_start(cpu, body, h);
  double target = target_norm(cpu, body, h, settings->tolerance);
  double scale = phi_scale(cpu, body, (double)h);
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    assemble(cpu, body, h);
    if (target >= 0 && gradient_norm(cpu, body) <= target)
      return;
    factor(&cpu->direct, body);
    double slope = solve(&cpu->direct, body);
    phi = line_search(cpu, body, h, phi, slope, scale);
    // A step that promises less than the energy of rounding errors ends it, too: a body at rest has
    // nothing to fall relative to.
    if (target >= 0 && -slope <= (double)VIPER_EPSILON * (double)VIPER_EPSILON * scale)
      return;
  }
}
