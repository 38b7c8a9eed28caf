// SPDX-License-Identifier: GPL-3.0-or-later
/// The elastic part of Phi, which searches compare: the energies that the solver tells, of both
/// material models.
/// Covers: src/viper/cpu/evaluate/elastic_phi.*
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/elastic_phi.h"

#include "handle.h"
#include "scenes/scenes.h"
#include "viper/model/model.h"

/// The elastic part of Phi of a scene at time 0, J.
static double phi_of(const vb_scene *scene) {
  viper_model *m;
  ck_assert_int_eq(viper_model_create(scene, false, &m, NULL), VB_OK);
  size_t n;
  const vb_node *node = vb_scene_nodes(scene, &n);
  const vb_segment *segment = vb_scene_segments(scene, &n);
  viper_node_x *x = calloc(m->n_nodes, sizeof *x);
  viper_quat *frame = calloc(m->n_segments, sizeof *frame);
  for (size_t i = 0; i < m->n_nodes; i++) {
    const vb_node *from = &node[i];
    x[m->node_at[i]] =
        (viper_node_x){{from->position[0], from->position[1], from->position[2]}, from->scale};
  }
  for (size_t j = 0; j < m->n_segments; j++) {
    const double *q = segment[j].frame;
    frame[m->segment_at[j]] = (viper_quat){q[0], q[1], q[2], q[3]};
  }
  const viper_cpu cpu = {.model = m, .node = x, .frame = frame};
  double phi = viper_elastic_phi(&cpu);
  free(x);
  free(frame);
  viper_model_destroy(m);
  return phi;
}

/// Of published segments, of some solid ones, of solid ones alone. 1e-12: sums of some 60 energies
/// in another order.
START_TEST(it_is_the_sum_of_all_energies) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 8, 0.8, 0.05, &scenes_rubber);
  if (_i > 0)
    scenes_solidify(b, _i == 1 ? 2 : 1);
  scenes_disturb(b, 0.02, 0, 7);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, NULL);
  const double phi = phi_of(scene);
  ck_assert_double_gt(phi, 0);
  ck_assert_double_eq_tol(phi, handle_elastic(&s), 1e-12 * phi);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *sums(void) {
  TCase *t = tcase_create("sums");
  tcase_add_loop_test(t, it_is_the_sum_of_all_energies, 0, 3);
  return t;
}

VB_TEST_MAIN("elastic part of Phi", sums())
