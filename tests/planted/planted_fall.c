// SPDX-License-Identifier: GPL-3.0-or-later
// Free fall in closed form, for any solver.
#include "planted/planted.h"
#include "scene/rotation.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/// Where a point that was at `x` with velocity `v` is after `time`, and how fast.
static void fall(const vb_world *world, double time, const double x[3], const double v[3],
                 double position[3], double velocity[3]) {
  for (int c = 0; c < 3; c++) {
    position[c] = x[c] + time * (v[c] + 0.5 * time * world->gravity[c]);
    velocity[c] = v[c] + time * world->gravity[c];
  }
}

/// Where the driver of a pin has taken `x` at `time`.
static void follow(const vb_scene *scene, const vb_pin *pin, double time, const double x[3],
                   double out[3]) {
  double q[4], b[3];
  vb_driver_motion(scene, pin->driver, time, q, b);
  vb_rigid_move(q, b, x, out);
}

/// All nodes (nodes x 3).
static void fall_nodes(const vb_scene *scene, double time, double *position, double *velocity) {
  size_t n, n_pins;
  const vb_node *node = vb_scene_nodes(scene, &n);
  const vb_pin *pin = vb_scene_pins(scene, &n_pins);
  const vb_world *world = vb_scene_world(scene);
  for (size_t i = 0; i < n; i++)
    fall(world, time, node[i].position, node[i].velocity, position + 3 * i, velocity + 3 * i);
  for (size_t k = 0; k < n_pins; k++) {
    if (pin[k].location != VB_AT_NODE)
      continue;
    size_t i = (size_t)pin[k].index;
    double now[3], before[3];
    follow(scene, &pin[k], time, node[i].position, now);
    follow(scene, &pin[k], fmax(0, time - world->step), node[i].position, before);
    for (int c = 0; c < 3; c++)
      if (pin[k].mask >> c & 1) {
        position[3 * i + (size_t)c] = now[c];
        velocity[3 * i + (size_t)c] = (now[c] - before[c]) / world->step;
      }
  }
}

static void fall_bones(const vb_scene *scene, double time, double *position, double *velocity) {
  size_t n;
  const vb_bone *bone = vb_scene_bones(scene, &n);
  for (size_t i = 0; i < n; i++)
    fall(vb_scene_world(scene), time, bone[i].position, bone[i].velocity, position + 3 * i,
         velocity + 3 * i);
}

vb_status planted_fall(const vb_scene *scene, const vb_field *field, double time, double *out,
                       vb_error *error) {
  bool node = field->location == VB_AT_NODE, bone = field->location == VB_AT_BONE;
  bool position = strcmp(field->name, bone ? "bone_position" : "position") == 0;
  bool velocity = strcmp(field->name, bone ? "bone_velocity" : "velocity") == 0;
  if (!(node || bone) || !(position || velocity) || time == 0)
    return VB_OK;
  size_t n = vb_scene_count(scene, node ? VB_SET_NODE : VB_SET_BONE);
  double *other = malloc((3 * n + 1) * sizeof *other);
  if (!other)
    return vb_error_memory(error);
  (node ? fall_nodes : fall_bones)(scene, time, position ? out : other, position ? other : out);
  free(other);
  return VB_OK;
}

/// Masses of the nodes: halves of segments, quarters of tetrahedra.
static void lump(const vb_scene *scene, const vb_node *node, double *mass) {
  size_t n_segments, n_tetrahedra;
  const vb_segment *segment = vb_scene_segments(scene, &n_segments);
  const vb_tetrahedron *t = vb_scene_tetrahedra(scene, &n_tetrahedra);
  for (size_t j = 0; j < n_segments; j++) {
    const int32_t *end = segment[j].node;
    double radius = 0.5 * (node[end[0]].rest_radius + node[end[1]].rest_radius);
    double half = 0.5 * segment[j].density * PI * radius * radius * segment[j].rest_length;
    mass[end[0]] += half;
    mass[end[1]] += half;
  }
  for (size_t j = 0; j < n_tetrahedra; j++) {
    const int32_t *v = t[j].node;
    double quarter = t[j].density / 24 *
                     vb_volume6(node[v[0]].rest_position, node[v[1]].rest_position,
                                node[v[2]].rest_position, node[v[3]].rest_position);
    for (int k = 0; k < 4; k++)
      mass[v[k]] += quarter;
  }
}

/// What a mass has won since time 0: kinetic energy, and potential energy of gravity.
static void add_won(const vb_world *world, double mass, const double x0[3], const double v0[3],
                    const double x[3], const double v[3], double won[2]) {
  double d[3];
  vb_subtract(x, x0, d);
  won[0] += 0.5 * mass * (vb_dot(v, v) - vb_dot(v0, v0));
  won[1] -= mass * vb_dot(world->gravity, d);
}

vb_status planted_fall_energies(const vb_scene *scene, const vb_solver_description *about,
                                double time, double *out, vb_error *error) {
  size_t n, n_bones;
  const vb_node *node = vb_scene_nodes(scene, &n);
  const vb_bone *bone = vb_scene_bones(scene, &n_bones);
  const vb_world *world = vb_scene_world(scene);
  size_t most = n > n_bones ? n : n_bones;
  double *room = calloc(7 * most + 1, sizeof *room), won[2] = {0, 0};
  if (!room)
    return vb_error_memory(error);
  double *mass = room, *x = room + most, *v = x + 3 * most;
  lump(scene, node, mass);
  fall_nodes(scene, time, x, v);
  for (size_t i = 0; i < n; i++)
    add_won(world, mass[i], node[i].position, node[i].velocity, x + 3 * i, v + 3 * i, won);
  fall_bones(scene, time, x, v);
  for (size_t i = 0; i < n_bones; i++)
    add_won(world, bone[i].mass, bone[i].position, bone[i].velocity, x + 3 * i, v + 3 * i, won);
  free(room);
  for (size_t i = 0; i < about->n_energies; i++) {
    bool kinetic = strcmp(about->energies[i].name, "kinetic") == 0;
    bool gravity = strcmp(about->energies[i].name, "gravity") == 0;
    out[i] = kinetic || gravity ? out[i] + won[gravity] : 0;
  }
  return VB_OK;
}
