// SPDX-License-Identifier: GPL-3.0-or-later
#include "step.h"

#include "accelerate.h"
#include "objective.h"
#include "touch.h"

#include "base/clock.h"
#include "scene/rotation.h"

#include <math.h>
#include <string.h>

/// Rounds of contact in a global step, at most; what is left is the next one's.
enum { MOST_PASSES = 30 };
/// By how much of a global step's way contacts may be missed in it, unless it is the last.
static const double part_of_way = 1e-3;

/// A set of numbers that changes by `scale` times the difference of two others.
static void set_rate(double *out, const double *now, const double *old, size_t n, double scale) {
  for (size_t i = 0; i < n; i++)
    out[i] = scale * (now[i] - old[i]);
}

/// Adds the time since `since` to a phase, and begins anew.
static void clock_in(ar_stepper *s, ar_timer timer, double *since) {
  double now = vb_clock();
  s->timer[timer] += now - *since;
  *since = now;
}

/// Adds forces `f` (n_nodes x 3) to those of flesh and of bones.
static void add_forces(const ar_body *body, const double *f, double *flesh, double *bones) {
  for (size_t i = 0; i < body->n_nodes; i++, f += 3) {
    double local[4], *load = flesh + 3 * i;
    if (f[0] == 0 && f[1] == 0 && f[2] == 0)
      continue;
    if (body->bone_of[i] < 0) {
      vb_add_scaled(load, 1, f, load);
      continue;
    }
    load = bones + 12 * (size_t)body->bone_of[i];
    ar_body_local(body, i, local);
    for (int r = 0; r < 4; r++)
      vb_add_scaled(load + 3 * r, local[r], f, load + 3 * r);
  }
}

/// Contact at the beginning of the step: its forces where they are explicit, else none yet.
static void begin_contact(ar_stepper *s, double before) {
  if (s->settings.explicit_contact) {
    ar_contact_forces(&s->contact, before, s->x, s->local.threads, s->push, s->pushed);
    add_forces(&s->body, s->push, s->load, s->bone_load);
  } else {
    memset(s->push, 0, 3 * s->body.n_nodes * sizeof *s->push);
    ar_touches_begin(&s->touches);
  }
}

/// The prediction of bones and flesh, and loads of the step that ends at `time`.
static void predict(ar_stepper *s, double time, double h) {
  const double *g = vb_scene_world(s->scene)->gravity;
  size_t n = 3 * s->body.n_nodes, m = s->body.n_bones;
  for (size_t i = 0; i < n; i++)
    s->hat[i] = s->x[i] + h * s->v[i];
  for (size_t i = 0; i < 12 * m; i++)
    s->bone_hat[i] = s->t[i] + h * s->rate[i];
  ar_boundary_loads(&s->boundary, &s->links, s->old_pose, time, s->load, s->bone_load);
  for (size_t i = 0; i < n; i++)
    if (s->body.bone_of[i / 3] < 0)
      s->load[i] += s->body.mass[i / 3] * g[i % 3];
  if (s->contact.n > 0)
    begin_contact(s, time - h);
  for (size_t k = 0; k < m; k++)
    vb_add_scaled(s->bone_load + 12 * k + 9, s->body.bone[k].mass, g, s->bone_load + 12 * k + 9);
}

/// Takes the poses of a projection.
static void take_poses(ar_stepper *s) {
  memcpy(s->pose, s->linked.pose, s->body.n_bones * sizeof *s->pose);
  memcpy(s->t, s->next, 12 * s->body.n_bones * sizeof *s->t);
  ar_body_carry(&s->body, s->t, s->x);
}

static vb_status project(ar_stepper *s, const double *target, vb_error *error) {
  s->linked.gaps = s->report.joint_iterations == 0 ? s->report.gaps : NULL;
  vb_status status = ar_linked_project(&s->linked, s->old_pose, target, s->next, error);
  if (s->linked.iterations > s->report.joint_iterations)
    s->report.joint_iterations = s->linked.iterations;
  return status;
}

/// Where iterations begin: the old state, or the prediction with its bones projected.
static vb_status begin(ar_stepper *s, double time, double h, vb_error *error) {
  for (size_t i = 0; i < s->links.n; i++)
    ar_links_limit(&s->links, i, 0);
  predict(s, time, h);
  ar_links_drive(&s->links, time);
  if (s->settings.prediction) {
    const double *g = vb_scene_world(s->scene)->gravity;
    for (size_t i = 0; i < 3 * s->body.n_nodes; i++)
      s->x[i] = s->hat[i] + h * h * g[i % 3];
    for (size_t i = 0; i < 12 * s->body.n_bones; i++)
      s->bones[i] = s->bone_hat[i] + (i % 12 < 9 ? 0 : h * h * g[i % 3]);
    vb_status status = project(s, s->bones, error);
    if (status)
      return status;
    take_poses(s);
  }
  ar_boundary_move(&s->boundary, time, s->x);
  return VB_OK;
}

/// Projects the bones that the global step leads to, and lets flesh follow: the places `trial`.
static vb_status follow(ar_stepper *s, vb_error *error) {
  size_t n = 3 * s->body.n_nodes, m = 12 * s->body.n_bones;
  double *target = s->bone_gradient; // its memory is free now
  for (size_t i = 0; i < m; i++)
    target[i] = s->t[i] + s->bones[i];
  vb_status status = project(s, target, error);
  if (status)
    return status;
  // Flesh goes with the bones as they are now; as published, as they were before their projection.
  for (size_t i = 0; i < m; i++)
    s->turned[i] = s->settings.published ? s->bones[i] : s->next[i] - s->t[i];
  memcpy(s->trial, s->flesh, n * sizeof *s->trial);
  ar_reduced_follow(&s->reduced, s->turned, s->trial);
  for (size_t i = 0; i < n; i++)
    s->trial[i] += s->x[i];
  ar_body_carry(&s->body, s->next, s->trial);
  return VB_OK;
}

/// Adds forces of contact to the loads, and how the global step answers them to its changes.
static vb_status answer(ar_stepper *s, vb_error *error) {
  size_t n = 3 * s->body.n_nodes, m = 12 * s->body.n_bones;
  double *way = s->gradient, *turn = s->turned; // their memory is free now
  for (size_t i = 0; i < n; i++)
    s->push[i] += s->more[i];
  memset(turn, 0, m * sizeof *turn);
  memset(s->answer, 0, n * sizeof *s->answer);
  add_forces(&s->body, s->more, s->answer, turn);
  add_forces(&s->body, s->more, s->load, s->bone_load);
  if (!ar_reduced_solve(&s->reduced, s->answer, turn, way))
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++)
    s->flesh[i] += way[i];
  for (size_t i = 0; i < m; i++)
    s->bones[i] += turn[i];
  return VB_OK;
}

/// How far the global step moves a node at most.
static double greatest_way(const ar_stepper *s) {
  double most = 0;
  for (size_t i = 0; i < 3 * s->body.n_nodes; i++)
    most = fmax(most, fabs(s->trial[i] - s->x[i]));
  return most;
}

/// Finds the forces of contact with which the places of the global step keep apart. Of rigid bones
/// they are found again and again: the forces count on affine ones, which give way more. Before the
/// last global step a part of its way is near enough.
static vb_status touch(ar_stepper *s, double h, vb_error *error) {
  double time = (double)(s->n_steps + 1) * h, tolerance = s->touches.tolerance;
  const ar_span span = {time - h, time, s->old_x, s->local.threads};
  vb_status status = VB_OK;
  if (s->report.iterations + 1 < s->settings.iterations)
    tolerance = fmax(tolerance, part_of_way * greatest_way(s));
  for (int pass = 0; pass < MOST_PASSES && !status; pass++) {
    status = ar_touches_solve(&s->touches, &span, s->trial, pass == 0, tolerance, s->more,
                              &s->report.missed, error);
    if (status || s->report.missed <= tolerance)
      break;
    status = answer(s, error);
    if (!status)
      status = follow(s, error);
  }
  return status;
}

/// The global step, and the projection of its bones. Writes the greatest way of a node.
static vb_status iterate(ar_stepper *s, double h, double *moved, double *since, vb_error *error) {
  size_t n = 3 * s->body.n_nodes, m = 12 * s->body.n_bones;
  for (size_t i = 0; i < n; i++)
    s->gradient[i] = -s->gradient[i];
  for (size_t i = 0; i < m; i++)
    s->bones[i] = -s->bone_gradient[i];
  if (!ar_reduced_solve(&s->reduced, s->gradient, s->bones, s->flesh))
    return vb_error_memory(error);
  clock_in(s, AR_TIMER_SOLVE, since);
  vb_status status = follow(s, error);
  clock_in(s, AR_TIMER_PROJECT, since);
  if (!status && s->contact.n > 0 && !s->settings.explicit_contact)
    status = touch(s, h, error);
  clock_in(s, AR_TIMER_CONTACT, since);
  if (status)
    return status;
  *moved = 0;
  for (size_t i = 0; i < m; i++)
    *moved =
        fmax(*moved, fabs(s->next[i] - s->t[i]) * (i % 12 < 9 ? s->body.bone[i / 12].radius : 1));
  for (size_t i = 0; i < n; i++)
    *moved = fmax(*moved, s->body.bone_of[i / 3] < 0 ? fabs(s->trial[i] - s->x[i]) : 0);
  memcpy(s->x, s->trial, n * sizeof *s->x);
  take_poses(s);
  clock_in(s, AR_TIMER_SOLVE, since);
  return VB_OK;
}

/// Evaluates phi, and where an accelerated iteration raised it, beyond `before`, goes back to the
/// plain one.
static vb_status evaluate(ar_stepper *s, double h, double before, bool accelerated, double *since,
                          bool *feasible, vb_error *error) {
  vb_status status = ar_objective_evaluate(s, h, since, feasible, error);
  if (status || !accelerated || (*feasible && s->report.objective <= before))
    return status;
  ar_accelerate_undo(s);
  return ar_objective_evaluate(s, h, since, feasible, error);
}

/// An iteration, and where that is asked for its acceleration; the last one stays plain, so that
/// forces of links and contacts are those of its end.
static vb_status advance(ar_stepper *s, double h, double *moved, bool *accelerated, double *since,
                         vb_error *error) {
  *accelerated = false;
  if (s->settings.accelerated)
    ar_accelerate_begin(s);
  vb_status status = iterate(s, h, moved, since, error);
  if (!status && s->settings.accelerated && s->report.iterations + 1 < s->settings.iterations)
    status = ar_accelerate_move(s, accelerated, error);
  clock_in(s, AR_TIMER_PROJECT, since);
  return status;
}

/// Local and global steps until the residual is below the tolerance.
static vb_status minimize(ar_stepper *s, double h, vb_error *error) {
  const ar_settings *set = &s->settings;
  double before = INFINITY, moved = INFINITY, since = vb_clock();
  bool accelerated = false;
  ar_report *r = &s->report;
  ar_anderson_begin(&s->anderson);
  for (;; r->iterations++) {
    bool feasible;
    vb_status status = evaluate(s, h, before, accelerated, &since, &feasible, error);
    if (status)
      return status;
    // Contacts that are found bound what is minimized; friction has no minimum.
    bool same = feasible && s->touches.n == 0;
    if (same)
      r->rise = fmax(r->rise, r->objective - before);
    before = same ? r->objective : INFINITY;
    r->finite = isfinite(r->objective);
    if (r->iterations == set->iterations / 2)
      r->half_residual = r->residual;
    // The forces of links come with a projection, of which each step makes one.
    bool asked = set->tolerance > 0 && (r->iterations > 0 || s->links.n == 0);
    bool converged = set->published ? moved <= set->tolerance * s->body.size
                                    : feasible && r->residual <= set->tolerance;
    converged = converged && r->missed <= s->touches.tolerance;
    r->converged = asked && converged;
    if (!r->finite || r->iterations == set->iterations || r->converged)
      return VB_OK;
    status = advance(s, h, &moved, &accelerated, &since, error);
    if (status)
      return status;
  }
}

/// Turns of bones, and their spins.
static void find_frames(ar_stepper *s, double rate) {
  for (size_t k = 0; k < s->body.n_bones; k++) {
    double *q = s->frame + 4 * k, old[4], product = 0, r[9];
    memcpy(old, q, sizeof old);
    ar_rotation(s->pose[k].r, q, r);
    for (int c = 0; c < 4; c++)
      product += q[c] * old[c];
    for (int c = 0; product < 0 && c < 4; c++)
      q[c] = -q[c];
    ar_turn_between(old, q, s->spin + 3 * k);
    for (size_t c = 3 * k; c < 3 * k + 3; c++)
      s->spin[c] *= rate;
  }
}

/// Work of driven obstacles, and how deep nodes are in the end.
static void finish_contact(ar_stepper *s, const ar_motion *motion) {
  const ar_span span = {motion->before, motion->time, s->old_x, s->local.threads};
  double energy;
  if (s->settings.explicit_contact)
    ar_contact_work(&s->contact, span.before, span.time, s->old_x, s->work);
  else
    ar_touches_drive(&s->touches, &span, s->x, s->pushed, s->work);
  ar_contact_measure(&s->contact, span.time, s->x, span.threads, &s->report.depth, &energy);
}

/// Rates from the way of a step, forces of links, work.
static void finish(ar_stepper *s, double *old_frame, double h) {
  double rate = 1 / (h * (1 + vb_scene_world(s->scene)->damping * h));
  size_t n = s->body.n_nodes, m = s->body.n_bones;
  set_rate(s->v, s->x, s->old_x, 3 * n, rate);
  set_rate(s->rate, s->t, s->old_t, 12 * m, rate);
  memcpy(s->pull, s->gradient, 3 * n * sizeof *s->pull);
  memcpy(old_frame, s->frame, 4 * m * sizeof *old_frame);
  find_frames(s, rate);
  ar_body_carry(&s->body, s->rate, s->v);
  for (size_t i = 0; i < s->links.n; i++)
    ar_links_force(&s->links, i, s->pose, s->linked.multiplier, s->joint + 6 * i,
                   s->joint + 6 * i + 3);
  s->n_steps++;
  ar_motion motion = {.before = (double)(s->n_steps - 1) * h,
                      .time = (double)s->n_steps * h,
                      .old_bones = s->old_pose,
                      .bones = s->pose,
                      .old_frame = old_frame,
                      .frame = s->frame,
                      .old_x = s->old_x,
                      .x = s->x,
                      .pull = s->pull,
                      .joint = s->joint};
  ar_boundary_work(&s->boundary, &s->links, &motion, s->work);
  if (s->contact.n > 0)
    finish_contact(s, &motion);
}

vb_status ar_stepper_step(ar_stepper *s, vb_error *error) {
  double h = vb_scene_world(s->scene)->step, time = (double)(s->n_steps + 1) * h;
  memcpy(s->old_x, s->x, 3 * s->body.n_nodes * sizeof *s->x);
  memcpy(s->old_t, s->t, 12 * s->body.n_bones * sizeof *s->t);
  memcpy(s->old_pose, s->pose, s->body.n_bones * sizeof *s->pose);
  s->report = (ar_report){0};
  vb_status status = begin(s, time, h, error);
  if (!status)
    status = minimize(s, h, error);
  if (!status)
    finish(s, s->bones, h);
  return status;
}
