// SPDX-License-Identifier: GPL-3.0-or-later
/// What the material model solid makes of stiffnesses: K of its terms, joints between both models,
/// what is refused.
/// Covers: src/viper/model/solid.* src/viper/model/bending.* src/viper/option_rules.c
#include "handle.h"
#include "scene/material.h"
#include "scenes/scenes.h"
#include "viper/energy/table.h"
#include "viper/model/model.h"

static const double young = 1e5, nu = 0.4, radius = 0.05, length = 0.1;

/// A bar of two segments; those up to number `n_solid` are solid, with kz in the place of its own
/// where that is not 0.
static vb_scene *bar(size_t n_solid, double kz) {
  const double g = young / (2 * (1 + nu)), kv = young * nu / ((1 + nu) * (1 - 2 * nu));
  const scenes_material m = {1000, {2 * g, 2 * g, kz > 0 ? kz : 2 * g, 0, 0, kv}};
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_bar(b, 2, 2 * length, radius, &m);
  size_t n;
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n_solid; j++) {
    segment[j].model = VB_MATERIAL_SOLID;
    segment[j].young = young;
    segment[j].shear = g;
  }
  return fixture_freeze(b);
}

/// Whether numbers are the same but for a few roundings.
static void near(double value, double right) {
  ck_assert_double_le(fabs(value - right), 1e-12 * fabs(right));
}

START_TEST(stiffness_is_that_of_a_solid_rod) {
  const double g = young / (2 * (1 + nu)), shear = 6 * (1 + nu) / (7 + 6 * nu) * g;
  const double kv = young * nu / ((1 + nu) * (1 - 2 * nu)), kz = 2 * g;
  const double volume = M_PI * radius * radius * length;
  const double moment = M_PI * pow(radius, 4) / 4 * length;
  for (size_t n_solid = 0; n_solid <= 2; n_solid++) {
    vb_scene *scene = bar(n_solid, 0);
    viper_model *m;
    ck_assert_int_eq(viper_model_create(scene, false, &m, NULL), VB_OK);
    ck_assert_int_eq(m->body[0].solid, (int)n_solid); // none, some, all
    ck_assert_int_eq(m->body[0].bends, n_solid < 2);
    ck_assert_str_eq(vb_material_models_of(scene), n_solid == 0   ? "published"
                                                   : n_solid == 1 ? "published and solid"
                                                                  : "solid");
    const vb_moduli moduli = vb_moduli_of(scene);
    ck_assert(n_solid == 2 ? moduli.young[0] == young && moduli.young[1] == young
                           : isnan(moduli.young[0])); // the published segments have none
    near(moduli.bending[0], n_solid > 0 ? young : kz + kv);
    near(moduli.bending[1], n_solid < 2 ? kz + kv : young);
    for (size_t j = 0; j < 2; j++) {
      const viper_model_segment *s = &m->segment[m->segment_at[j]];
      const bool solid = j < n_solid;
      near(s->k[VIPER_TERM_STRETCH], volume * (solid ? shear : kz));
      near(s->k[VIPER_TERM_SECTION], volume * 4 * g);
      near(s->k[VIPER_TERM_TAPER], moment * (solid ? 2 : 4) * g);
      near(s->k[VIPER_TERM_VOLUME], solid ? 0 : volume * kv);
      near(s->k_solid[VIPER_TERM_AXIAL], solid ? volume * (kz - shear) : 0);
      near(s->k_solid[VIPER_TERM_DILATION], solid ? volume * kv : 0);
    }
    // Of the joint E I and G J, or the mean of those and of what is published.
    const double part = 0.5 * (double)n_solid, *k = m->joint[0].k;
    near(k[VIPER_TERM_BEND], moment * (1 - part) * kz);
    near(k[VIPER_TERM_VOLUME_BEND], moment * (part * young + (1 - part) * kv));
    near(k[VIPER_TERM_TWIST], moment * (part * 2 + (1 - part) * 4) * g);
    viper_model_destroy(m);
    free(scene);
  }
}
END_TEST

/// Without kv, as where scales are pinned, the section does not shrink: E I is of the term bend.
START_TEST(bending_without_volume_is_of_the_term_bend) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  const scenes_material m = {1000, {young, young, young, 0, 0, 0}};
  scenes_bar(b, 2, 2 * length, radius, &m);
  scenes_solidify(b, 1);
  vb_scene *scene = fixture_freeze(b);
  viper_model *model;
  ck_assert_int_eq(viper_model_create(scene, false, &model, NULL), VB_OK);
  near(model->joint[0].k[VIPER_TERM_BEND], 1.1 * young * M_PI * pow(radius, 4) / 4 * length);
  ck_assert_double_eq(model->joint[0].k[VIPER_TERM_VOLUME_BEND], 0);
  ck_assert_int_eq(model->body[0].bends, 1);
  viper_model_destroy(model);
  free(scene);
}
END_TEST

START_TEST(soft_axes_are_refused) {
  vb_scene *scene = bar(2, 0.2 * young);
  viper_model *m;
  vb_error error;
  ck_assert_int_eq(viper_model_create(scene, false, &m, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "segment 0: kz is 20000 Pa; with the material model "
                                              "solid it must be more than"));
  free(scene);
}
END_TEST

START_TEST(the_published_method_refuses_them) {
  const vb_option option = {"method", "jacobi-published"};
  vb_scene *scene = bar(1, 0), *published = bar(0, 0);
  const vb_solver *solver;
  vb_error error;
  void *self;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, published, &option, 1, &self, &error), VB_OK);
  solver->destroy(self);
  ck_assert_int_eq(solver->create(solver, scene, &option, 1, &self, &error), VB_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.message, "does not support the material model solid"));
  free(scene);
  free(published);
}
END_TEST

static TCase *stiffness(void) {
  TCase *c = tcase_create("stiffness");
  tcase_add_test(c, stiffness_is_that_of_a_solid_rod);
  tcase_add_test(c, bending_without_volume_is_of_the_term_bend);
  tcase_add_test(c, soft_axes_are_refused);
  tcase_add_test(c, the_published_method_refuses_them);
  return c;
}

VB_TEST_MAIN("solid stiffness", stiffness())
