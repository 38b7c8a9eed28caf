// SPDX-License-Identifier: GPL-3.0-or-later
/// Making and freeing a stepper.
#include "accelerate.h"
#include "objective.h"

#include "base/clock.h"
#include "scene/rotation.h"
#include "solver/fields.h"
#include "solver/state.h"

#include <stdlib.h>
#include <string.h>

static vb_status allocate(ar_stepper *s, vb_error *error) {
  size_t n = 3 * s->body.n_nodes, m = s->body.n_bones, total;
  const vb_state_array arrays[] = {
      {&s->x, n},
      {&s->t, 12 * m},
      {&s->v, n},
      {&s->rate, 12 * m},
      {&s->frame, 4 * m},
      {&s->spin, 3 * m},
      {&s->pull, n},
      {&s->joint, 6 * s->body.n_links},
      {&s->push, n},
      {&s->pushed, 6 * vb_scene_count(s->scene, VB_SET_DRIVER)},
      {&s->work, vb_work_count(s->scene)},
      {&s->rotation, 4 * s->body.n_elements},
      {&s->hat, n},
      {&s->load, n},
      {&s->flesh, n},
      {&s->gradient, n},
      {&s->old_x, n},
      {&s->trial, n},
      {&s->more, n},
      {&s->answer, n},
      {&s->bone_hat, 12 * m},
      {&s->bone_load, 12 * m},
      {&s->bones, 12 * m},
      {&s->old_t, 12 * m},
      {&s->bone_gradient, 12 * m},
      {&s->next, 12 * m},
      {&s->turned, 12 * m},
      {&s->reduced_gradient, 6 * m},
  };
  vb_status status = vb_state_create(arrays, sizeof arrays / sizeof *arrays, &total, error);
  s->pose = calloc(2 * m + 1, sizeof *s->pose);
  if (status || !s->pose)
    return vb_error_memory(error);
  s->n_saved = (size_t)(s->hat - s->x);
  s->old_pose = s->pose + m;
  return VB_OK;
}

/// Positions and rates at time 0.
static void start(ar_stepper *s) {
  size_t n;
  const vb_node *node = vb_scene_nodes(s->scene, &n);
  for (size_t i = 0; i < n; i++) {
    memcpy(s->x + 3 * i, node[i].position, sizeof node[i].position);
    memcpy(s->v + 3 * i, node[i].velocity, sizeof node[i].velocity);
  }
  const vb_bone *bone = vb_scene_bones(s->scene, &n);
  for (size_t k = 0; k < s->body.n_bones; k++) {
    const double *w = bone[k].angular_velocity;
    double r[9], arm[3], *rate = s->rate + 12 * k, *t = s->t + 12 * k;
    ar_matrix(bone[k].frame, r);
    ar_turn(r, s->body.bone[k].offset, arm);
    memcpy(s->frame + 4 * k, bone[k].frame, sizeof bone[k].frame);
    memcpy(s->spin + 3 * k, w, sizeof bone[k].angular_velocity);
    for (int j = 0; j < 3; j++) {
      const double axis[3] = {r[j], r[3 + j], r[6 + j]};
      memcpy(t + 3 * j, axis, sizeof axis);
      vb_cross(w, axis, rate + 3 * j);
    }
    vb_subtract(bone[k].position, arm, t + 9);
    vb_cross(w, arm, arm);
    vb_subtract(bone[k].velocity, arm, rate + 9);
  }
  ar_body_carry(&s->body, s->t, s->x);
  ar_body_carry(&s->body, s->rate, s->v);
  for (size_t e = 0; e < s->body.n_elements; e++)
    s->rotation[4 * e] = 1;
}

void ar_stepper_pose(ar_stepper *s) {
  for (size_t k = 0; k < s->body.n_bones; k++) {
    for (int c = 0; c < 9; c++)
      s->pose[k].r[c] = s->t[12 * k + (size_t)(3 * (c % 3) + c / 3)];
    memcpy(s->pose[k].t, s->t + 12 * k + 9, sizeof s->pose[k].t);
  }
}

void ar_stepper_derive(ar_stepper *s) {
  ar_stepper_pose(s);
  ar_links_drive(&s->links, (double)s->n_steps * vb_scene_world(s->scene)->step);
}

void ar_stepper_set(ar_stepper *s, const ar_settings *settings) {
  s->settings = *settings;
  ar_linked_set_options(&s->linked, settings->joint_iterations, settings->feasible,
                        !settings->gauss_newton, settings->threads);
  s->local.threads = settings->threads;
}

/// The parts of the stepper, the matrix last.
static vb_status build(ar_stepper *s, const ar_choice *choice, vb_error *error) {
  double h = vb_scene_world(s->scene)->step, since = vb_clock();
  vb_status status = ar_body_create(s->scene, choice, &s->body, error);
  if (!status)
    status = ar_links_create(&s->body, &s->links, error);
  if (!status)
    status = ar_boundary_create(&s->body, &s->boundary, error);
  if (!status)
    status = ar_contact_create(&s->body, s->boundary.held, s->settings.explicit_contact,
                               s->settings.contact, h, &s->contact, error);
  if (!status)
    status = ar_local_create(&s->body, &s->local, error);
  if (!status)
    status = allocate(s, error);
  double *spring = status ? NULL : calloc(s->body.n_nodes + 1, sizeof *spring);
  if (!status && !spring)
    status = vb_error_memory(error);
  for (size_t i = 0; !status && i < s->body.n_nodes; i++)
    spring[i] =
        s->body.shape_of[i] >= 0 && choice->bones == AR_BONES_SHAPE ? s->settings.spring : 0;
  if (!status)
    status = ar_reduced_create(&s->body, s->boundary.held, spring, h, &s->reduced, error);
  free(spring);
  if (!status)
    status = ar_linked_create(&s->body, &s->links, &s->reduced, s->settings.published, h,
                              &s->linked, error);
  if (!status)
    status = ar_accelerate_create(s, error);
  if (!status && s->contact.n > 0 && !s->settings.explicit_contact)
    status = ar_touches_create(&s->contact, s->boundary.held, &s->reduced, &s->touches, error);
  s->timer[AR_TIMER_FACTORIZE] = vb_clock() - since;
  return status;
}

vb_status ar_stepper_create(const vb_scene *scene, const ar_choice *choice,
                            const ar_settings *settings, ar_stepper *s, vb_error *error) {
  memset(s, 0, sizeof *s);
  s->scene = scene;
  s->settings = *settings;
  double h = vb_scene_world(scene)->step;
  vb_status status = build(s, choice, error);
  if (status) {
    ar_stepper_clear(s);
    return status;
  }
  start(s);
  ar_stepper_derive(s);
  free(s->local.rotation);
  s->local.rotation = s->rotation;
  s->rounding = ar_objective_rounding(&s->body, h);
  ar_stepper_set(s, settings);
  return VB_OK;
}

void ar_stepper_clear(ar_stepper *s) {
  if (s->local.rotation == s->rotation)
    s->local.rotation = NULL;
  ar_touches_clear(&s->touches);
  ar_accelerate_clear(s);
  ar_linked_clear(&s->linked);
  ar_reduced_clear(&s->reduced);
  ar_local_clear(&s->local);
  ar_contact_clear(&s->contact);
  ar_boundary_clear(&s->boundary);
  ar_links_clear(&s->links);
  ar_body_clear(&s->body);
  free(s->x);
  free(s->pose);
  memset(s, 0, sizeof *s);
}
