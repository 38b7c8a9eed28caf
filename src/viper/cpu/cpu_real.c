// SPDX-License-Identifier: GPL-3.0-or-later
/// An instance of the CPU backend: memory, state in and out.
#include "viper/cpu/contact_real.h"

#include <stdlib.h>
#include <string.h>

/// Lanes of the widest variant.
#define MOST_LANES (64 / sizeof(viper_scalar))

static void destroy(void *self) {
  viper_cpu *cpu = self;
  if (!cpu)
    return;
  free(cpu->segment);
  free(cpu->joint);
  free(cpu->node);
  free(cpu->node_old);
  free(cpu->node_hat);
  free(cpu->node_rate);
  free(cpu->frame);
  free(cpu->frame_old);
  free(cpu->frame_hat);
  free(cpu->frame_rate);
  free(cpu->arrays.inertia);
  free(cpu->node_force);
  free(cpu->frame_force);
  free(cpu->matrix);
  viper_panels_destroy(cpu->panels);
  viper_bundled_destroy(&cpu->bundled);
  viper_contact_destroy(cpu->contacts);
  free(cpu->hat_scale);
  if (cpu->lanes)
    cpu->lanes_api->destroy(cpu->lanes);
  if (cpu->tiles)
    cpu->lanes_api->tiles_destroy(cpu->tiles);
  viper_boundary_destroy(&cpu->boundary);
  free(cpu);
}

/// Whether bodies are worked on here one by one, so that arrays over the model are needed.
static bool has_single_bodies(const viper_cpu *cpu) {
  return cpu->body_groups->n_singles > 0;
}

/// Whether gradients are evaluated here: for the work done on bodies, and of bundled scenes.
static bool needs_forces(const viper_cpu *cpu) {
  bool needed = viper_has_bundles(cpu->model);
  for (size_t k = 0; k < cpu->model->n_bodies; k++)
    needed |= cpu->model->body[k].driven != 0;
  return needed;
}

/// Zeros that begin at a line of the cache; null without memory. Freed by free.
static void *rows(size_t n, size_t size) {
  size_t whole = (n * size / 64 + 1) * 64; // aligned_alloc takes multiples of the alignment alone
  void *block = aligned_alloc(64, whole);
  if (block)
    memset(block, 0, whole);
  return block;
}

static bool allocate(viper_cpu *cpu) {
  bool all = has_single_bodies(cpu), forces = needs_forces(cpu);
  size_t n = (all ? cpu->model->n_nodes : 0) + 1, s = (all ? cpu->model->n_segments : 0) + 1;
  size_t t = (all ? cpu->model->n_joints : 0) + 1;
  cpu->segment = calloc(s, sizeof *cpu->segment);
  cpu->joint = calloc(t, sizeof *cpu->joint);
  cpu->node = rows(n, sizeof *cpu->node);
  cpu->node_old = rows(n, sizeof *cpu->node_old);
  cpu->node_hat = rows(n, sizeof *cpu->node_hat);
  cpu->node_rate = rows(n, sizeof *cpu->node_rate);
  cpu->frame = rows(s, sizeof *cpu->frame);
  cpu->frame_old = rows(s, sizeof *cpu->frame_old);
  cpu->frame_hat = rows(s, sizeof *cpu->frame_hat);
  cpu->frame_rate = rows(s, sizeof *cpu->frame_rate);
  cpu->node_force = calloc(forces ? 4 * n : 1, sizeof *cpu->node_force);
  cpu->frame_force = calloc(forces ? 3 * s : 1, sizeof *cpu->frame_force);
  return cpu->segment && cpu->joint && cpu->node && cpu->node_old && cpu->node_hat &&
         cpu->node_rate && cpu->frame && cpu->frame_old && cpu->frame_hat && cpu->frame_rate &&
         cpu->node_force && cpu->frame_force;
}

/// The arrays as rows of scalars, and what only the methods use, in one block that begins at
/// `inertia`. Bodies that are swept in tiles have what the method uses there.
static vb_status create_arrays(viper_cpu *cpu, const viper_cpu_setup *setup, vb_error *error) {
  bool constraints = setup->adjacency && setup->method != VIPER_BLOCK_DESCENT;
  size_t n = cpu->model->n_nodes, s = cpu->model->n_segments, t = cpu->model->n_joints;
  bool descent = setup->adjacency && setup->method == VIPER_BLOCK_DESCENT;
  size_t more = constraints ? 8 * n + (1 + VIPER_SEGMENT_ROWS + 3) * s + VIPER_JOINT_ROWS * t : 0;
  more += descent ? (3 + 6) * s + (7 + 5 + 2) * (t + 1) : 0;
  viper_scalar *at = calloc(2 * n + s + more + 1, sizeof *at);
  if (!at)
    return vb_error_memory(error);
  viper_scalar *mass = at + s;
  cpu->arrays = (viper_arrays){
      .model = cpu->model,
      .adjacency = setup->adjacency,
      .node = &cpu->node->c.x,
      .node_hat = &cpu->node_hat->c.x,
      .frame = &cpu->frame->w,
      .frame_hat = &cpu->frame_hat->w,
      .node_old = &cpu->node_old->c.x,
      .frame_old = &cpu->frame_old->w,
      .node_rate = &cpu->node_rate->c.x,
      .frame_rate = &cpu->frame_rate->x,
      .node_inertia = mass,
      .segment = &cpu->segment->inv_l,
      .joint = &cpu->joint->half.w,
      .inertia = at,
      .pin_target = cpu->boundary.target,
  };
  for (size_t i = 0; i < n; i++) {
    mass[2 * i] = (viper_scalar)cpu->model->node[i].mass;
    mass[2 * i + 1] = (viper_scalar)cpu->model->node[i].scale_inertia;
  }
  if (constraints) {
    cpu->arrays.h2a = mass + 2 * n;
    cpu->arrays.node_sum = mass + 4 * n;
    cpu->arrays.frame_h2a = mass + 8 * n;
    cpu->arrays.frame_sum = cpu->arrays.frame_h2a + s;
    cpu->arrays.segment_lambda = cpu->arrays.frame_sum + 3 * s;
    cpu->arrays.joint_lambda = cpu->arrays.segment_lambda + VIPER_SEGMENT_ROWS * s;
  }
  if (descent) {
    cpu->arrays.frame_sum = mass + 2 * n;
    cpu->arrays.inverse = cpu->arrays.frame_sum + 3 * s;
    cpu->arrays.turn = cpu->arrays.inverse + 3 * s;
    cpu->arrays.hold = cpu->arrays.turn + 7 * (t + 1);
    cpu->arrays.pull = cpu->arrays.hold + 5 * (t + 1);
  }
  return VB_OK;
}

/// Notes what has a pinned unknown in flags that begin at `at`: nodes, frames, segments and joints.
static void find_pinned(const viper_model *m, viper_arrays *a, uint8_t *at) {
  uint8_t *node = at, *frame = node + m->n_nodes + MOST_LANES;
  uint8_t *segment = frame + m->n_segments + MOST_LANES;
  uint8_t *joint = segment + m->n_segments + MOST_LANES;
  for (size_t i = 0; i < m->n_nodes; i++)
    node[i] = m->node[i].pinned != 0;
  for (size_t j = 0; j < m->n_segments; j++) {
    const int32_t *end = m->segment[j].node;
    frame[j] = m->segment[j].pinned != 0;
    segment[j] = frame[j] || node[end[0]] || node[end[1]];
  }
  for (size_t t = 0; t < m->n_joints; t++)
    for (int i = 0; i < 3; i++)
      joint[t] |= node[m->joint[t].node[i]] || frame[m->joint[t].segment[i / 2]];
  a->node_pinned = node;
  a->frame_pinned = frame;
  a->segment_pinned = segment;
  a->joint_pinned = joint;
}

/// Memory of `direct` on single bodies, but for panels in one block: what is taken by fours comes
/// first, so that no four lies in two lines of the cache.
static vb_status create_matrix(viper_cpu *cpu, const viper_elimination *e, vb_error *error) {
  viper_arrays *a = &cpu->arrays;
  size_t n = cpu->model->n_nodes, s = cpu->model->n_segments, t = cpu->model->n_joints;
  vb_status status = viper_panels_create(cpu->model, e, &cpu->panels, error);
  if (status)
    return status;
  size_t kept = cpu->panels ? 0 : 4; // fours of a block
  size_t fours = kept * (e->n_columns + e->n_blocks) + 2 * e->n_columns + n + s, values = n + s + t;
  size_t flags = n + 2 * s + t + 4 * MOST_LANES;
  viper_scalar *at = rows(1, (4 * fours + values) * sizeof *at +
                                 (VIPER_MAX_PARTITIONS + 1) * sizeof *a->slope + flags);
  if (!at)
    return vb_error_memory(error);
  cpu->matrix = at;
  a->elimination = e;
  a->panels = cpu->panels;
  if (!cpu->panels) {
    a->diagonal = at;
    a->block = a->diagonal + 16 * e->n_columns;
  }
  a->gradient = at + 4 * kept * (e->n_columns + e->n_blocks);
  a->move = a->gradient + 4 * e->n_columns;
  a->node_start = a->move + 4 * e->n_columns;
  a->frame_start = a->node_start + 4 * n;
  a->slope = (double *)(a->frame_start + 4 * s);
  a->value = (viper_scalar *)(a->slope + VIPER_MAX_PARTITIONS + 1);
  find_pinned(cpu->model, a, (uint8_t *)(a->value + values));
  return VB_OK;
}

/// Contact, after all else: it works on the nodes where they are.
static vb_status create_contact(viper_cpu *cpu, vb_error *error) {
  if (!viper_has_contact(cpu->model))
    return VB_OK;
  cpu->hat_scale = calloc(cpu->model->n_nodes + 1, sizeof *cpu->hat_scale);
  if (!cpu->hat_scale)
    return vb_error_memory(error);
  return viper_contact_create(cpu, &cpu->contacts, error);
}

/// Turns the joints' rows into columns, as `direct` wants them: see viper_arrays.
static vb_status turn_joints(viper_cpu *cpu, vb_error *error) {
  const size_t width = sizeof(viper_joint_rest) / sizeof(viper_scalar), n = cpu->model->n_joints;
  const size_t stride = n + MOST_LANES;
  viper_scalar *columns = calloc(width * stride, sizeof *columns);
  if (!columns)
    return vb_error_memory(error);
  for (size_t c = 0; c < width; c++)
    for (size_t t = 0; t < n; t++)
      columns[c * stride + t] = cpu->arrays.joint[t * width + c];
  free(cpu->joint);
  cpu->joint = (viper_joint_rest *)columns;
  cpu->arrays.joint = columns;
  cpu->arrays.joint_stride = stride;
  return VB_OK;
}

static vb_status create_members(viper_cpu *cpu, const viper_cpu_setup *setup, vb_error *error) {
  vb_status status = allocate(cpu) ? VB_OK : vb_error_memory(error);
  if (!status)
    status = viper_boundary_create(cpu->model, &cpu->boundary, error);
  if (!status)
    status = viper_bundled_create(cpu->model, &cpu->bundled, error);
  if (status)
    return status;
  cpu->lanes_api = setup->lanes;
  if (has_single_bodies(cpu))
    status = create_arrays(cpu, setup, error);
  if (!status && setup->elimination)
    status = create_matrix(cpu, setup->elimination, error);
  if (!status && setup->tiling)
    status = cpu->lanes_api->tiles_create(cpu->model, setup->tiling, cpu->body_groups->n_singles,
                                          setup->method, setup->threads, &cpu->tiles, error);
  if (status || setup->body_groups->n_groups == 0)
    return status;
  viper_boundary_at(&cpu->boundary, cpu->model, 0);
  return cpu->lanes_api->create(cpu->model, cpu->body_groups, &cpu->boundary, setup->method,
                                setup->threads, viper_has_contact(cpu->model), &cpu->lanes, error);
}

static vb_status create(const viper_model *model, const viper_cpu_setup *setup, void **out,
                        vb_error *error) {
  viper_cpu *cpu = calloc(1, sizeof *cpu);
  if (!cpu)
    return vb_error_memory(error);
  cpu->model = model;
  cpu->body_groups = setup->body_groups;
  cpu->tiling = setup->tiling;
  vb_status status = create_members(cpu, setup, error);
  if (!status)
    status = create_contact(cpu, error);
  for (size_t j = 0; !status && has_single_bodies(cpu) && j < model->n_segments; j++)
    cpu->segment[j] = viper_segment_rest_from(&model->segment[j]);
  for (size_t t = 0; !status && has_single_bodies(cpu) && t < model->n_joints; t++)
    cpu->joint[t] = viper_joint_rest_from(&model->joint[t]);
  if (!status && setup->elimination)
    status = turn_joints(cpu, error);
  if (status) {
    destroy(cpu);
    return status;
  }
  *out = cpu;
  return VB_OK;
}

static void put(void *self, const viper_state *state) {
  viper_cpu *cpu = self;
  if (cpu->lanes)
    cpu->lanes_api->put(cpu->lanes, state);
  if (cpu->contacts) {
    memcpy(cpu->hat_scale, state->hat_scale, cpu->model->n_nodes * sizeof *cpu->hat_scale);
    viper_contact_reset(cpu->contacts);
  }
  if (!has_single_bodies(cpu))
    return;
  for (size_t i = 0; i < cpu->model->n_nodes; i++) {
    cpu->node[i] = viper_node_from(state->node + 4 * i);
    cpu->node_rate[i] = viper_node_from(state->node_rate + 4 * i);
    cpu->node_hat[i] = viper_node_from(state->node_hat + 4 * i);
  }
  for (size_t j = 0; j < cpu->model->n_segments; j++) {
    const double *w = state->frame_rate + 3 * j;
    cpu->frame[j] = viper_quat_from(state->frame + 4 * j);
    cpu->frame_hat[j] = viper_quat_from(state->frame_hat + 4 * j);
    cpu->frame_rate[j] = viper_vec3_make((viper_real)w[0], (viper_real)w[1], (viper_real)w[2]);
  }
  viper_bundled_reset(cpu);
}

static void get_body(const viper_cpu *cpu, const viper_model_body *body, viper_state *state) {
  for (int32_t k = 0; k < body->n_nodes; k++) {
    size_t i = (size_t)body->first_node + (size_t)k;
    viper_node_to(cpu->node[i], state->node + 4 * i);
    viper_node_to(cpu->node_rate[i], state->node_rate + 4 * i);
    viper_node_to(cpu->node_hat[i], state->node_hat + 4 * i);
  }
  for (int32_t k = 0; k < body->n_segments; k++) {
    size_t j = (size_t)body->first_segment + (size_t)k;
    viper_quat_to(cpu->frame[j], state->frame + 4 * j);
    viper_quat_to(cpu->frame_hat[j], state->frame_hat + 4 * j);
    state->frame_rate[3 * j] = (double)cpu->frame_rate[j].x;
    state->frame_rate[3 * j + 1] = (double)cpu->frame_rate[j].y;
    state->frame_rate[3 * j + 2] = (double)cpu->frame_rate[j].z;
  }
}

static void get(const void *self, viper_state *state) {
  const viper_cpu *cpu = self;
  if (cpu->lanes)
    cpu->lanes_api->get(cpu->lanes, state);
  if (cpu->contacts)
    memcpy(state->hat_scale, cpu->hat_scale, cpu->model->n_nodes * sizeof *cpu->hat_scale);
  for (size_t k = 0; k < cpu->body_groups->n_singles; k++)
    get_body(cpu, &cpu->model->body[cpu->body_groups->single[k]], state);
}

static double residual(void *self, double h) {
  viper_cpu *cpu = self;
  viper_cpu began = viper_bundled_start(cpu), end = viper_bundled_before(cpu);
  return viper_relative_residual(&began, &end, h);
}

const viper_cpu_api VIPER_NAME(viper_cpu) = {
    create, destroy, put, get, viper_cpu_step, residual, viper_contact_measure};
