// SPDX-License-Identifier: GPL-3.0-or-later
/// An instance of the CPU backend: memory, state in and out.
#include "viper/backend/gathered_groups.h"
#include "viper/cpu/contact/contact_real.h"
#include "viper/cpu/core/block.h"

/// Lanes of the widest variant.
#define MOST_LANES (64 / sizeof(viper_scalar))

/// What is an array of its own.
#define LASTING_FIELDS(X) VIPER_STATE_FIELDS(X) VIPER_RATE_FIELDS(X) VIPER_OLD_FIELDS(X)

static void destroy(void *self) {
  viper_cpu *cpu = self;
  if (!cpu)
    return;
  free(cpu->segment);
  free(cpu->joint);
#define FREE(name, type, place, set, spare) free(cpu->name);
  LASTING_FIELDS(FREE)
  VIPER_HISTORY_FIELDS(FREE)
  VIPER_SPIN_FIELDS(FREE)
#undef FREE
  free(cpu->pin_force);
  free(cpu->arrays.inertia);
  free(cpu->node_force);
  free(cpu->frame_force);
  free(cpu->matrix);
  viper_panels_destroy(cpu->panels);
  viper_bundled_destroy(&cpu->bundled);
  viper_contact_destroy(cpu->contacts);
  free(cpu->node_hat0);
  free(cpu->active);
  free(cpu->held);
  free(cpu->bending);
  free(cpu->fused);
  free(cpu->moments);
  free(cpu->solid);
  free(cpu->turned);
  if (cpu->lanes)
    cpu->lanes_api->destroy(cpu->lanes);
  if (cpu->gathered_lanes)
    cpu->gathered_api->destroy(cpu->gathered_lanes);
  viper_body_groups_destroy(&cpu->gathered);
  if (cpu->tiles)
    cpu->lanes_api->tiles_destroy(cpu->tiles);
  if (cpu->lines)
    cpu->lines_api->destroy(cpu->lines);
  viper_boundary_destroy(&cpu->boundary);
  free(cpu);
}

/// Whether bodies are worked on here one by one, so that arrays over the model are needed.
static bool has_single_bodies(const viper_cpu *cpu) {
  return cpu->body_groups->n_singles > 0;
}

/// Whether gradients are evaluated here: for the work done on bodies.
static bool needs_forces(const viper_cpu *cpu) {
  bool needed = false;
  for (size_t k = 0; k < cpu->model->n_bodies; k++)
    needed |= cpu->model->body[k].driven != 0;
  return needed;
}

static bool allocate(viper_cpu *cpu, const viper_settings *settings) {
  bool all = has_single_bodies(cpu), forces = needs_forces(cpu);
  const size_t n_nodes = all ? cpu->model->n_nodes : 0, n_joints = all ? cpu->model->n_joints : 0;
  const size_t n_segments = all ? cpu->model->n_segments : 0;
  cpu->segment = calloc(n_segments + 1, sizeof *cpu->segment);
  cpu->joint = calloc(n_joints + 1, sizeof *cpu->joint);
  cpu->node_force = calloc(forces ? 4 * n_nodes + 1 : 1, sizeof *cpu->node_force);
  cpu->frame_force = calloc(forces ? 3 * n_segments + 1 : 1, sizeof *cpu->frame_force);
  bool done = cpu->segment && cpu->joint && cpu->node_force && cpu->frame_force;
#define ALLOCATE(name, type, place, set, spare)                                                    \
  done = done && (cpu->name = viper_zeroed((n_##place##s + (spare)) * sizeof(type)));
  LASTING_FIELDS(ALLOCATE)
  if (viper_has_history(settings)) {
    VIPER_HISTORY_FIELDS(ALLOCATE)
  }
  if (viper_has_spin(settings)) {
    VIPER_SPIN_FIELDS(ALLOCATE)
  }
#undef ALLOCATE
  if (viper_has_pin_force(settings))
    done = done && (cpu->pin_force = viper_zeroed((4 * cpu->model->n_pins + 1) * sizeof(double)));
  return done;
}

/// Lays out what methods with the traits `sets` work with, and the nodes' inertias, in a block that
/// begins with `inertia`; returns its size.
static size_t lay_arrays(viper_arrays *a, char *block, const viper_model *m, unsigned sets) {
  size_t at = 0;
#define TAKE(name, type, place, set, spare)                                                        \
  if (sets & (set))                                                                                \
    a->name = viper_take(block, &at, m->n_##place##s + (spare), sizeof(type));
  VIPER_METHOD_FIELDS(TAKE)
#undef TAKE
  a->node_inertia = viper_take(block, &at, m->n_nodes, sizeof(viper_node_inertia));
  return at;
}

/// The arrays as rows of scalars. Bodies that are swept in tiles have what the method uses there.
static vb_status create_arrays(viper_cpu *cpu, const viper_cpu_setup *setup, vb_error *error) {
  const viper_model *m = cpu->model;
  viper_arrays *a = &cpu->arrays;
  bool untiled = setup->adjacency || setup->elimination;
  unsigned sets = untiled ? viper_traits(setup->settings->method) : VIPER_ALWAYS;
  char *block = viper_zeroed(lay_arrays(a, NULL, m, sets));
  if (!block)
    return vb_error_memory(error);
  lay_arrays(a, block, m, sets);
  a->model = m;
  a->adjacency = setup->adjacency;
  a->segment = (const viper_scalar *)cpu->segment;
  a->joint = (const viper_scalar *)cpu->joint;
  a->pin_target = cpu->boundary.target;
#define SHARE(name, type, place, set, spare) a->name = (viper_scalar *)cpu->name;
  LASTING_FIELDS(SHARE)
  VIPER_HISTORY_FIELDS(SHARE)
  VIPER_SPIN_FIELDS(SHARE)
#undef SHARE
  viper_node_inertia *inertia = (viper_node_inertia *)a->node_inertia;
  for (size_t i = 0; i < m->n_nodes; i++)
    inertia[i] = viper_node_inertia_load(cpu, (int32_t)i);
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
  size_t fours = kept * (e->n_columns + e->n_blocks) + 2 * e->n_columns, values = n + s + t;
  size_t flags = n + 2 * s + t + 4 * MOST_LANES;
  viper_scalar *at = viper_zeroed((4 * fours + values) * sizeof *at +
                                  2 * (VIPER_MAX_PARTITIONS + 1) * sizeof *a->slope + flags);
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
  a->slope = (double *)(a->move + 4 * e->n_columns);
  a->value = (viper_scalar *)(a->slope + 2 * (VIPER_MAX_PARTITIONS + 1));
  find_pinned(cpu->model, a, (uint8_t *)(a->value + values));
  return VB_OK;
}

/// Memory of block descent on single bodies of the material model solid, for sums over them.
static vb_status create_sums(viper_cpu *cpu, const viper_settings *settings, vb_error *error) {
  const viper_model *m = cpu->model;
  if (m->n_solids == 0 || !has_single_bodies(cpu) ||
      !viper_method_has(settings->method, VIPER_OWN_PHASES))
    return VB_OK;
  cpu->matrix = viper_zeroed((m->n_nodes + m->n_segments + m->n_joints) * sizeof *cpu->matrix);
  cpu->arrays.value = cpu->matrix;
  return cpu->matrix ? VB_OK : vb_error_memory(error);
}

/// What segments rest at, in a scene with activations. The row behind the last is passive.
static vb_status create_active(viper_cpu *cpu, vb_error *error) {
  const size_t n = cpu->model->n_segments;
  if (cpu->model->n_activations == 0)
    return VB_OK;
  cpu->active = calloc(2 * n + 1, sizeof *cpu->active);
  if (!cpu->active)
    return vb_error_memory(error);
  cpu->active[n] = viper_passive();
  cpu->active_old = cpu->active + n + 1;
  cpu->arrays.active = (viper_scalar *)cpu->active;
  return VB_OK;
}

/// What holds parts of frames, in a scene where something does: nothing, at first.
static vb_status create_held(viper_cpu *cpu, vb_error *error) {
  const size_t n = cpu->model->n_segments;
  if (!viper_has_held(cpu->model))
    return VB_OK;
  cpu->held = reallocarray(NULL, n + 1, sizeof *cpu->held);
  if (!cpu->held)
    return vb_error_memory(error);
  for (size_t j = 0; j <= n; j++)
    cpu->held[j] = viper_held_none();
  cpu->arrays.held = (viper_scalar *)cpu->held;
  return VB_OK;
}

/// How joints bend, in a scene with bending factors. The row behind the last has no stiffness.
static vb_status create_bending(viper_cpu *cpu, vb_error *error) {
  const size_t n = cpu->model->n_joints;
  if (!viper_has_bending_factors(cpu->model))
    return VB_OK;
  cpu->bending = reallocarray(NULL, n + 1, sizeof *cpu->bending);
  if (!cpu->bending)
    return vb_error_memory(error);
  for (size_t t = 0; t < n; t++)
    cpu->bending[t] = viper_bending_from(cpu->model, t);
  cpu->bending[n] = viper_isotropic();
  cpu->arrays.bending = (const viper_scalar *)cpu->bending;
  return VB_OK;
}

/// How joints twist, in a scene with fused rods. The row behind the last has no stiffness.
static vb_status create_fused(viper_cpu *cpu, vb_error *error) {
  const size_t n = cpu->model->n_joints;
  if (!cpu->model->fused)
    return VB_OK;
  cpu->fused = calloc(n + 1, sizeof *cpu->fused);
  if (!cpu->fused)
    return vb_error_memory(error);
  for (size_t t = 0; t < n; t++)
    cpu->fused[t] = viper_fused_from(cpu->model, t);
  cpu->arrays.fused = (const viper_scalar *)cpu->fused;
  return VB_OK;
}

/// Moments of inertia of frames, where any are not a disc's.
static vb_status create_moments(viper_cpu *cpu, vb_error *error) {
  const size_t n = cpu->model->n_segments;
  if (!cpu->model->has_moments)
    return VB_OK;
  cpu->moments = calloc(n + 1, sizeof *cpu->moments);
  if (!cpu->moments)
    return vb_error_memory(error);
  for (size_t j = 0; j < n; j++)
    cpu->moments[j] = viper_moments_load(cpu, (int32_t)j);
  cpu->arrays.moments = (const viper_scalar *)cpu->moments;
  return VB_OK;
}

/// What segments have by the material model solid, where one is. The row behind the last has no
/// stiffness.
static vb_status create_solid(viper_cpu *cpu, vb_error *error) {
  const size_t n = cpu->model->n_solids;
  if (n == 0)
    return VB_OK;
  cpu->solid = calloc(n + 1, sizeof *cpu->solid);
  if (!cpu->solid)
    return vb_error_memory(error);
  for (size_t j = 0; j < n; j++)
    cpu->solid[j] = viper_solid_rest_from(&cpu->model->segment[j]);
  cpu->arrays.solid = (const viper_scalar *)cpu->solid;
  return VB_OK;
}

/// What loads that turn do, in a scene that has some.
static vb_status create_turned(viper_cpu *cpu, vb_error *error) {
  const size_t n = cpu->model->n_follower_loads, nodes = 4 * cpu->model->n_nodes;
  // Rows of four scalars hold what acts on nodes, and on frames three in a row.
  const size_t rows = n + cpu->model->n_nodes + cpu->model->n_segments;
  if (n == 0)
    return VB_OK;
  cpu->turned = calloc(rows + 1, sizeof *cpu->turned);
  if (!cpu->turned)
    return vb_error_memory(error);
  cpu->arrays.turned_node = (viper_scalar *)(cpu->turned + n);
  cpu->arrays.turned_frame = cpu->arrays.turned_node + nodes;
  return VB_OK;
}

/// Contact, after all else: it works on the nodes where they are.
static vb_status create_contact(viper_cpu *cpu, const viper_settings *settings, vb_error *error) {
  if (!viper_has_contact(cpu->model) && !cpu->bundled.multiplier && !cpu->bundled.row_force)
    return VB_OK;
  cpu->node_hat0 = calloc(4 * cpu->model->n_nodes + 1, sizeof *cpu->node_hat0);
  if (!cpu->node_hat0)
    return vb_error_memory(error);
  if (!viper_has_contact(cpu->model))
    return VB_OK;
  return viper_contact_create(cpu, settings, &cpu->contacts, error);
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

/// Bodies that bundles tie to each other stay in the arrays of single bodies, and lanes gather them
/// for each iteration.
static vb_status create_gathered(viper_cpu *cpu, const viper_settings *settings, vb_error *error) {
  vb_status status = viper_gathered_groups_create(cpu->model, &cpu->gathered, error);
  if (status || cpu->gathered.n_groups == 0)
    return status;
  cpu->gathered_api = viper_gathered_of(cpu->lanes_api);
  return cpu->gathered_api->create(cpu->model, &cpu->gathered, &cpu->boundary, settings,
                                   &cpu->gathered_lanes, error);
}

static vb_status create_members(viper_cpu *cpu, const viper_cpu_setup *setup, vb_error *error) {
  const viper_settings *settings = setup->settings;
  vb_status status = allocate(cpu, settings) ? VB_OK : vb_error_memory(error);
  if (!status)
    status = viper_boundary_create(cpu->model, &cpu->boundary, error);
  if (!status)
    status = viper_bundled_create(cpu->model, settings, &cpu->bundled, error);
  if (!status && viper_has_penalty(settings) && cpu->bundled.n > 0)
    status = viper_penalty_create(cpu, error);
  if (!status && viper_has_bundle_rows(settings) && cpu->bundled.n > 0)
    status = viper_bundle_newton_create(cpu, error);
  if (status)
    return status;
  cpu->lanes_api = setup->lanes;
  if (has_single_bodies(cpu))
    status = create_arrays(cpu, setup, error);
  if (!status)
    status = create_active(cpu, error);
  if (!status)
    status = create_held(cpu, error);
  if (!status)
    status = create_bending(cpu, error);
  if (!status)
    status = create_fused(cpu, error);
  if (!status)
    status = create_moments(cpu, error);
  if (!status)
    status = create_solid(cpu, error);
  if (!status)
    status = create_turned(cpu, error);
  if (!status && setup->elimination)
    status = create_matrix(cpu, setup->elimination, error);
  if (!status)
    status = create_sums(cpu, settings, error);
  if (!status && setup->tiling)
    status = cpu->lanes_api->tiles_create(cpu->model, setup->tiling, cpu->body_groups->n_singles,
                                          settings->method, settings->threads, &cpu->tiles, error);
  if (!status)
    viper_boundary_at(&cpu->boundary, cpu->model, 0);
  if (!status && cpu->bundled.n > 0 && setup->elimination && !cpu->is_static)
    status = create_gathered(cpu, settings, error);
  if (status || setup->body_groups->n_groups == 0)
    return status;
  return cpu->lanes_api->create(cpu->model, cpu->body_groups, &cpu->boundary, settings,
                                viper_has_contact(cpu->model), &cpu->lanes, error);
}

/// Lines, after the rest data, of which they have copies: not where bundles change these by a
/// penalty.
static vb_status create_lines(viper_cpu *cpu, const viper_cpu_setup *setup, vb_error *error) {
  if ((!setup->adjacency && !setup->elimination) || cpu->is_static || cpu->bundled.multiplier)
    return VB_OK;
  cpu->lines_api = viper_lines_of(cpu->lanes_api);
  return cpu->lines_api->create(&cpu->arrays, cpu->body_groups, setup->settings->method,
                                &cpu->lines, error);
}

static vb_status create(const viper_model *model, const viper_cpu_setup *setup, void **out,
                        vb_error *error) {
  viper_cpu *cpu = calloc(1, sizeof *cpu);
  if (!cpu)
    return vb_error_memory(error);
  cpu->model = model;
  cpu->is_static = setup->settings->dynamics == VIPER_STATIC;
  cpu->body_groups = setup->body_groups;
  cpu->tiling = setup->tiling;
  vb_status status = create_members(cpu, setup, error);
  if (!status)
    status = create_contact(cpu, setup->settings, error);
  for (size_t j = 0; !status && has_single_bodies(cpu) && j < model->n_segments; j++)
    cpu->segment[j] = viper_segment_rest_from(&model->segment[j]);
  for (size_t t = 0; !status && has_single_bodies(cpu) && t < model->n_joints; t++)
    cpu->joint[t] = viper_joint_rest_from(&model->joint[t]);
  if (!status && setup->elimination)
    status = turn_joints(cpu, error);
  if (!status)
    status = create_lines(cpu, setup, error);
  if (status) {
    destroy(cpu);
    return status;
  }
  *out = cpu;
  return VB_OK;
}

static viper_vec3 vec3_from(const double v[3]) {
  return viper_vec3_make((viper_real)v[0], (viper_real)v[1], (viper_real)v[2]);
}

static void vec3_to(viper_vec3 v, double out[3]) {
  out[0] = (double)v.x;
  out[1] = (double)v.y;
  out[2] = (double)v.z;
}

/// What bdf2 keeps.
static void put_history(viper_cpu *cpu, const viper_state *state) {
  for (size_t i = 0; i < cpu->model->n_nodes; i++) {
    cpu->node_before[i] = viper_node_from(state->node_before + 4 * i);
    cpu->node_rate_before[i] = viper_node_from(state->node_rate_before + 4 * i);
  }
  for (size_t j = 0; j < cpu->model->n_segments; j++) {
    cpu->frame_before[j] = viper_quat_from(state->frame_before + 4 * j);
    cpu->frame_rate_before[j] = vec3_from(state->frame_rate_before + 3 * j);
  }
}

static void get_history(const viper_cpu *cpu, const viper_model_body *body, viper_state *state) {
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    viper_node_to(cpu->node_before[i], state->node_before + 4 * i);
    viper_node_to(cpu->node_rate_before[i], state->node_rate_before + 4 * i);
  }
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++) {
    viper_quat_to(cpu->frame_before[j], state->frame_before + 4 * j);
    vec3_to(cpu->frame_rate_before[j], state->frame_rate_before + 3 * j);
  }
}

/// Rows of bodies that are in batches are predicted with the others, and never solved: without
/// rates they stay sound.
static void rest_batched_bodies(viper_cpu *cpu) {
  for (size_t k = 0; k < cpu->body_groups->n_groups; k++) {
    const viper_body_group *group = &cpu->body_groups->group[k];
    for (int32_t i = 0; i < group->n_bodies; i++) {
      const viper_model_body *b = &cpu->model->body[group->body[i]];
      memset(cpu->node_rate + b->first_node, 0, (size_t)b->n_nodes * sizeof *cpu->node_rate);
      memset(cpu->frame_rate + b->first_segment, 0,
             (size_t)b->n_segments * sizeof *cpu->frame_rate);
    }
  }
}

static void put(void *self, const viper_state *state) {
  viper_cpu *cpu = self;
  if (cpu->lanes)
    cpu->lanes_api->put(cpu->lanes, state);
  if (cpu->node_hat0)
    memcpy(cpu->node_hat0, state->node_hat0, 4 * cpu->model->n_nodes * sizeof *cpu->node_hat0);
  if (cpu->bundled.multiplier)
    memcpy(cpu->bundled.multiplier, state->multiplier,
           (4 * cpu->model->n_nodes + 3 * cpu->model->n_segments) * sizeof *state->multiplier);
  if (cpu->bundled.row_force) {
    memcpy(cpu->bundled.row_force, state->bundle_force,
           VIPER_BUNDLE_ROWS * cpu->model->n_segments * sizeof *state->bundle_force);
    memcpy(cpu->bundle_torque, state->bundle_torque,
           3 * cpu->model->n_segments * sizeof *state->bundle_torque);
  }
  if (cpu->contacts) {
    viper_contact_reset(cpu->model, cpu->contacts, state->kept);
    if (state->frame_push)
      memcpy(cpu->contacts->frame_push, state->frame_push,
             cpu->model->n_segments * sizeof *state->frame_push);
  }
  if (cpu->pin_force)
    memcpy(cpu->pin_force, state->pin_force, 4 * cpu->model->n_pins * sizeof *cpu->pin_force);
  if (!has_single_bodies(cpu))
    return;
  for (size_t i = 0; i < cpu->model->n_nodes; i++) {
    cpu->node[i] = viper_node_from(state->node + 4 * i);
    cpu->node_rate[i] = viper_node_from(state->node_rate + 4 * i);
    cpu->node_hat[i] = viper_node_from(state->node_hat + 4 * i);
  }
  for (size_t j = 0; j < cpu->model->n_segments; j++) {
    cpu->frame[j] = viper_quat_from(state->frame + 4 * j);
    cpu->frame_hat[j] = viper_quat_from(state->frame_hat + 4 * j);
    cpu->frame_rate[j] = vec3_from(state->frame_rate + 3 * j);
  }
  if (cpu->node_before)
    put_history(cpu, state);
  rest_batched_bodies(cpu);
  for (size_t j = 0; cpu->active && j < cpu->model->n_segments; j++)
    cpu->active[j] =
        (viper_contraction){(viper_real)state->active[2 * j], (viper_real)state->active[2 * j + 1]};
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
    vec3_to(cpu->frame_rate[j], state->frame_rate + 3 * j);
  }
  if (cpu->node_before)
    get_history(cpu, body, state);
}

static void get(const void *self, viper_state *state) {
  const viper_cpu *cpu = self;
  if (cpu->lanes)
    cpu->lanes_api->get(cpu->lanes, state);
  if (cpu->bundled.multiplier)
    memcpy(state->multiplier, cpu->bundled.multiplier,
           (4 * cpu->model->n_nodes + 3 * cpu->model->n_segments) * sizeof *state->multiplier);
  if (cpu->bundled.row_force) {
    memcpy(state->bundle_force, cpu->bundled.row_force,
           VIPER_BUNDLE_ROWS * cpu->model->n_segments * sizeof *state->bundle_force);
    memcpy(state->bundle_torque, cpu->bundle_torque,
           3 * cpu->model->n_segments * sizeof *state->bundle_torque);
  }
  if (cpu->node_hat0)
    memcpy(state->node_hat0, cpu->node_hat0, 4 * cpu->model->n_nodes * sizeof *cpu->node_hat0);
  if (state->frame_push)
    memcpy(state->frame_push, cpu->contacts->frame_push,
           cpu->model->n_segments * sizeof *state->frame_push);
  for (size_t j = 0; cpu->active && j < cpu->model->n_segments; j++) {
    state->active[2 * j] = (double)cpu->active[j].stretch;
    state->active[2 * j + 1] = (double)cpu->active[j].scale;
  }
  if (cpu->pin_force)
    memcpy(state->pin_force, cpu->pin_force, 4 * cpu->model->n_pins * sizeof *cpu->pin_force);
  for (size_t k = 0; k < cpu->body_groups->n_singles; k++)
    get_body(cpu, &cpu->model->body[cpu->body_groups->single[k]], state);
}

static vb_status residual(void *self, double h, const double *load, double *out, vb_error *error) {
  viper_cpu *cpu = self;
  viper_cpu began = viper_bundled_start(cpu), end = viper_bundled_before(cpu);
  return viper_relative_residual(&began, &end, h, load, out, error);
}

const viper_cpu_api VIPER_NAME(viper_cpu) = {create,
                                             destroy,
                                             put,
                                             get,
                                             viper_contact_keep,
                                             viper_cpu_step,
                                             residual,
                                             viper_contact_measure,
                                             viper_contact_forces,
                                             viper_contact_distance};
