// SPDX-License-Identifier: GPL-3.0-or-later
/// Friction of bodies, beside that of the scene: the greatest coefficients count.
#include "handle.h"
#include "scenes.h"

#include <math.h>

static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
enum { METHODS = 4 };

#define STEP    0.01
#define RADIUS  0.1
#define GRAVITY 9.81

/// Two bars that slide on the ground at 2 m/s, each on its own; the second has friction `own`, the
/// ground `ground`. They are of one segment, and scales are held, so that nothing elastic acts.
static vb_scene *two_bars(double ground, double own) {
  vb_builder *b = scenes_begin(STEP, GRAVITY);
  int32_t wall = scenes_wall(b, "wall");
  for (int k = 0; k < 2; k++) {
    int32_t first = scenes_bar(b, 1, 0.6, RADIUS, &scenes_rubber);
    size_t n;
    vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
    for (int32_t i = first; i < (int32_t)n; i++) {
      node[i].position[1] = node[i].rest_position[1] = k;
      node[i].position[2] = node[i].rest_position[2] = RADIUS;
      node[i].velocity[0] = 2;
      scenes_pin_node(b, i, VB_PIN_SCALE, wall);
    }
  }
  vb_half_plane plane = {
      .normal = {0, 0, 1}, .static_friction = ground, .kinetic_friction = ground};
  fixture_add(b, VB_SET_HALF_PLANE, &plane);
  fixture_add(b, VB_SET_FRICTION,
              &(vb_friction){.body = 1, .static_friction = own, .kinetic_friction = own});
  return fixture_freeze(b);
}

/// A bar loses mu g h of its velocity in each step, mu the greater of its own and the ground's.
/// That of contacts which are averaged comes after many iterations: two thirds of the depth are
/// left by each, so 1e-17 of it by 100.
START_TEST(the_greatest_friction_counts) {
  const double own[3] = {0.5, 0.1, 0};
  for (int k = 0; k < 3; k++) {
    vb_scene *scene = two_bars(0.2, own[k]);
    handle s = handle_open(scene, "method", methods[_i], "iterations", "100", NULL);
    handle_step(&s, 20);
    for (int body = 0; body < 2; body++) {
      double friction = body ? fmax(0.2, own[k]) : 0.2;
      ck_assert_double_eq_tol(handle_value(&s, "velocity", 6 * (size_t)body),
                              2 - friction * GRAVITY * STEP * 20, 1e-8);
    }
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// Between two bars the greatest of the scene's and of both counts: a lower bar that is held brakes
/// an upper one that slides across it.
START_TEST(friction_between_bodies_is_the_greatest) {
  const double of_scene[3] = {0.1, 0.4, 0}, lower[3] = {0.4, 0, 0}, upper[3] = {0.2, 0.2, 0.4};
  for (int k = 0; k < 3; k++) {
    vb_builder *b = scenes_begin(STEP, GRAVITY);
    int32_t wall = scenes_wall(b, "wall");
    for (int body = 0; body < 2; body++) {
      int32_t first = scenes_bar(b, 1, body ? 0.6 : 20, RADIUS, &scenes_rubber);
      size_t n;
      vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
      for (int32_t i = first; i < (int32_t)n; i++) {
        node[i].position[0] += body ? 3 : 0;
        node[i].position[2] = node[i].rest_position[2] = body ? 2 * RADIUS : 0;
        node[i].velocity[0] = body ? 2 : 0;
        scenes_pin_node(b, i, VB_PIN_SCALE | (body ? 0 : VB_PIN_CENTER), wall);
      }
      vb_friction own = {.body = body, .static_friction = body ? upper[k] : lower[k]};
      own.kinetic_friction = own.static_friction;
      fixture_add(b, VB_SET_FRICTION, &own);
    }
    fixture_add(b, VB_SET_CONTACT,
                &(vb_contact){.margin = 0.01,
                              .static_friction = of_scene[k],
                              .kinetic_friction = of_scene[k]});
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "method", methods[_i], "iterations", "200", NULL);
    handle_step(&s, 20);
    ck_assert_double_eq_tol(handle_value(&s, "velocity", 6), 2 - 0.4 * GRAVITY * STEP * 20, 1e-6);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

static TCase *friction(void) {
  TCase *c = tcase_create("friction by body");
  tcase_add_loop_test(c, the_greatest_friction_counts, 0, METHODS);
  tcase_add_loop_test(c, friction_between_bodies_is_the_greatest, 0, METHODS);
  return c;
}

VB_TEST_MAIN("friction by body", friction())
