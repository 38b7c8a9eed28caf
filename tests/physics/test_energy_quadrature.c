// SPDX-License-Identifier: GPL-3.0-or-later
/// Each term against the integral it stands for, under refinement.
/// Covers: src/viper/energy/*bend.h src/viper/energy/section.h src/viper/energy/stretch.h
/// Covers: src/viper/energy/taper.h src/viper/energy/twist.h src/viper/energy/volume*.h
#define VIPER_PRECISION 64
#include "scenes/continuous_rod.h"

/// Meshes of 32, 64, 128 and 256 segments.
#define N_MESHES 4
#define COARSEST 32

/// Errors that are C h^p (1 + O(h)) show orders within about C' h of p: on the finer meshes here
/// that is under 0.1.
#define ORDER_TOLERANCE 0.15

/// Relative error of each term on each mesh.
static void rod_errors(rod_ends ends, double error[N_MESHES][N_TERMS]) {
  double exact[N_TERMS];
  rod_energies(ends, exact);
  for (int mesh = 0; mesh < N_MESHES; mesh++) {
    double energy[N_TERMS];
    vb_scene *scene = rod_scene(ends, COARSEST << mesh);
    scene_energies(scene, energy);
    free(scene);
    for (int i = 0; i < N_TERMS; i++)
      error[mesh][i] = fabs(energy[i] / exact[i] - 1);
  }
}

/// Asserts that a term's errors fall as h^order from mesh to mesh.
static void check_order(double error[N_MESHES][N_TERMS], int term, double order) {
  for (int mesh = 1; mesh < N_MESHES; mesh++) {
    double coarse = error[mesh - 1][term], fine = error[mesh][term];
    ck_assert_msg(fabs(log2(coarse / fine) - order) <= ORDER_TOLERANCE,
                  "%s: errors %g and %g on meshes of %d and %d segments are of order %.3f, not %g",
                  term_name[term], coarse, fine, COARSEST << (mesh - 1), COARSEST << mesh,
                  log2(coarse / fine), order);
  }
}

START_TEST(terms_converge_to_their_integrals_at_second_order) {
  double error[N_MESHES][N_TERMS];
  rod_errors(ROD_ENDS_AT_REST, error);
  for (int term = 0; term < N_TERMS; term++)
    check_order(error, term, 2);
}
END_TEST

START_TEST(joint_terms_leave_out_half_a_segment_at_free_ends) {
  double error[N_MESHES][N_TERMS];
  rod_errors(ROD_ENDS_STRAINED, error);
  for (int term = 0; term < N_TERMS; term++)
    check_order(error, term, term < BEND ? 2 : 1);
}
END_TEST

static TCase *quadrature_cases(void) {
  TCase *c = tcase_create("quadrature");
  tcase_add_test(c, terms_converge_to_their_integrals_at_second_order);
  tcase_add_test(c, joint_terms_leave_out_half_a_segment_at_free_ends);
  return c;
}

VB_TEST_MAIN("energy_quadrature", quadrature_cases())
