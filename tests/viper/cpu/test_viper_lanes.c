// SPDX-License-Identifier: GPL-3.0-or-later
/// Vector lanes leave the bits alone: strict results are the same for every instruction set, any
/// number of threads, and for a body among others (side by side, one in a lane) and alone (its
/// elements in lanes). Fast ones are in test_viper_lanes_fast.c.
/// Covers: src/viper/cpu/*.[ch] src/viper/cpu/batch/*.[ch] src/viper/cpu/core/*.[ch]
/// Covers: src/viper/cpu/line/*.[ch] src/viper/cpu/single/*.[ch] src/viper/cpu/tiles/*.[ch]
/// Covers: src/viper/backend/*.[ch]
/// Covers: src/viper/energy/lanes.h
#include "scenes/lane_cases.h"
#include "viper/backend/tiles.h"

static const char *const fields[] = {"position", "scale",      "frame",
                                     "velocity", "scale_rate", "angular_velocity"};

/// Says which instruction sets the tests below go without. A processor that has one has all below,
/// and the widest is what `auto` takes; each is wider than the one before.
START_TEST(instruction_sets_are_told) {
  int lanes = 0;
  bool had = true;
  for (size_t i = 0; i < sizeof instruction_sets / sizeof *instruction_sets; i++) {
    if (!viper_lanes_name(instruction_sets[i])) {
      vb_skip(instruction_sets[i], "this build has no such variants; make INSTRUCTIONS=all");
      continue;
    }
    const viper_lanes_api *f32 = viper_lanes_find(32, instruction_sets[i], false);
    const viper_lanes_api *f64 = viper_lanes_find(64, instruction_sets[i], false);
    ck_assert_int_eq(f32->lanes, 2 * f64->lanes);
    ck_assert_int_gt(f64->lanes, lanes);
    lanes = f64->lanes;
    bool has = viper_lanes_has(instruction_sets[i]);
    ck_assert(had || !has);
    had = has;
    if (has)
      continue;
    vb_skip(instruction_sets[i], "this processor has no such instructions");
  }
  const char *set[3];
  ck_assert_str_eq(viper_lanes_best(), set[sets_here(set) - 1]);
}
END_TEST

/// Whether bodies touch a half-plane: set by the test that wants it, in a process of its own.
static bool grounded;

/// Bodies first to end - 1 of a recipe, all in one place.
static vb_scene *bodies(recipe r, int first, int end) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_wall(b, "wall");
  for (int k = first; k < end; k++)
    add_body(b, r, k);
  if (solid)
    scenes_solidify(b, 1);
  if (grounded)
    fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){.normal = {0, 0, 1}, .offset = -0.03});
  return fixture_freeze(b);
}

/// Whether body `k` of `all`, of n like ones, is bitwise the only body of `one`.
static bool same_body(const handle *all, int k, const handle *one) {
  bool same = true;
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
    double *x = handle_read(all, fields[f]), *y = handle_read(one, fields[f]);
    const vb_solver_description *d = one->solver->describe(one->solver);
    size_t i = 0;
    while (strcmp(d->fields[i].name, fields[f]) != 0)
      i++;
    size_t n = handle_numbers(one, i);
    same = same && !memcmp(x + (size_t)k * n, y, n * sizeof *y);
    free(x);
    free(y);
  }
  return same;
}

/// How many bodies of a scene are worked on side by side, and whether all of a kind are uniform.
static int32_t side_by_side(const vb_scene *scene, bool *uniform) {
  viper_model *m;
  viper_body_groups body_groups;
  int32_t n = 0;
  ck_assert_int_eq(viper_model_create(scene, true, &m, NULL), VB_OK);
  ck_assert_int_eq(viper_body_groups_create(m, &(viper_grouping){0}, &body_groups, NULL), VB_OK);
  *uniform = true;
  for (size_t k = 0; k < body_groups.n_groups; k++) {
    n += body_groups.group[k].n_bodies;
    *uniform = *uniform && body_groups.group[k].uniform;
  }
  viper_body_groups_destroy(&body_groups);
  viper_model_destroy(m);
  return n;
}

/// n like bodies by every instruction set, each of three against itself alone.
static void check_company(recipe r, int n, int variant) {
  const char *set[3];
  const int looked_at[3] = {0, n / 2, n - 1};
  static const char *const threads[3] = {"1", "2", "3"};
  int n_sets = sets_here(set);
  vb_scene *together = bodies(r, 0, n), *alone[3];
  bool uniform;
  ck_assert_int_eq(side_by_side(together, &uniform), n);
  ck_assert(uniform == r.uniform);
  handle one[3];
  for (int i = 0; i < 3; i++) {
    alone[i] = bodies(r, looked_at[i], looked_at[i] + 1);
    ck_assert_int_eq(side_by_side(alone[i], &uniform), 0);
    one[i] = run(alone[i], variant, set[0], "1");
  }
  for (int k = 0; k < n_sets; k++) {
    handle all = run(together, variant, set[k], threads[k]);
    for (int i = 0; i < 3; i++) {
      handle again = run(alone[i], variant, set[k], "2");
      ck_assert_msg(handle_same(&one[i], &again), "alone, shape %d by %s", r.shape, set[k]);
      ck_assert_msg(same_body(&all, looked_at[i], &one[i]), "body %d of %d, shape %d by %s",
                    looked_at[i], n, r.shape, set[k]);
      handle_close(&again);
    }
    handle_close(&all);
  }
  for (int i = 0; i < 3; i++) {
    handle_close(&one[i]);
    free(alone[i]);
  }
  free(together);
}

/// 5 bodies fill no register of most widths, 37 fill several and leave a rest. Kinds whose bodies
/// share their rest data read it once for all lanes.
START_TEST(company_leaves_the_bits_alone) {
  for (int shape = 0; shape < N_SHAPES; shape++)
    for (int k = 0; k < 4; k++) {
      recipe r = {shape, k & 1, k & 2, (k + shape) & 1};
      check_company(r, 5, _i);
      r.uniform = !r.uniform;
      check_company(r, 37, _i);
    }
}
END_TEST

/// Bodies first to end - 1 of a recipe, of which number 1 blows up in its first step.
static vb_scene *with_a_burst(recipe r, int first, int end) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_wall(b, "wall");
  for (int k = first; k < end; k++) {
    size_t node, segment, n_nodes, n_segments;
    vb_builder_elements(b, VB_SET_NODE, &node);
    vb_builder_elements(b, VB_SET_SEGMENT, &segment);
    add_body(b, r, k);
    vb_node *nodes = vb_builder_elements(b, VB_SET_NODE, &n_nodes);
    vb_segment *segments = vb_builder_elements(b, VB_SET_SEGMENT, &n_segments);
    for (size_t i = node; k == 1 && i < n_nodes; i++)
      nodes[i].velocity[0] = 1e200;
    for (size_t j = segment; k == 1 && j < n_segments; j++)
      segments[j].angular_velocity[0] = 1e200;
  }
  return fixture_freeze(b);
}

/// Steps n like bodies once, and body `k` of them alone: the same bits.
static void check_beside_burst(recipe r, int n, int k, int variant, const char *instructions) {
  vb_scene *scene[2] = {with_a_burst(r, 0, n), with_a_burst(r, k, k + 1)};
  handle s[2];
  for (int i = 0; i < 2; i++) {
    s[i] = handle_open(scene[i], "method", methods[variant % METHODS], "precision",
                       precisions[variant / METHODS], "instructions", instructions, "iterations",
                       "3", "tolerance", "0", NULL);
    ck_assert(handle_try(&s[i], 1) == (i == 1));
  }
  ck_assert_msg(same_body(&s[0], k, &s[1]), "body %d of %d, shape %d by %s", k, n, r.shape,
                instructions);
  for (int i = 0; i < 2; i++) {
    handle_close(&s[i]);
    free(scene[i]);
  }
}

/// A body that blows up leaves the bits of the others alone in that very step, whether they are
/// single (2 of them) or side by side in lanes (5): no number of it comes to them, not even one
/// that meets a stiffness of 0.
START_TEST(a_burst_leaves_others_alone) {
  const char *set[3];
  int n_sets = sets_here(set);
  for (int shape = 0; shape < N_SHAPES; shape++)
    for (int k = 0; k < n_sets; k++) {
      recipe r = {shape, true, false, false};
      check_beside_burst(r, 2, 0, _i, set[k]);
      check_beside_burst(r, 5, 0, _i, set[k]);
      check_beside_burst(r, 5, 2, _i, set[k]);
    }
}
END_TEST

/// States, energies, residual, reactions and works are those of the narrowest instruction set on
/// one thread.
START_TEST(widths_and_threads_leave_the_bits_alone) {
  static const char *const threads[] = {"1", "2", "3"};
  const char *set[3];
  int n_sets = sets_here(set);
  bool uniform;
  vb_scene *scene = crowd();
  ck_assert_int_gt(side_by_side(scene, &uniform), 40);
  ck_assert_uint_gt(vb_scene_count(scene, VB_SET_NODE), 256); // enough for threads
  handle first = run(scene, _i, set[0], "1");
  for (int k = 0; k < n_sets; k++)
    for (int t = 0; t < 3; t++) {
      handle s = run(scene, _i, set[k], threads[t]);
      ck_assert_msg(handle_same(&first, &s), "%s, %s threads", set[k], threads[t]);
      handle_close(&s);
    }
  handle_close(&first);
  free(scene);
}
END_TEST

/// A rod that threads share, with a branch at its middle so that it is no mere chain.
static vb_scene *long_rod(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  int32_t wall = scenes_wall(b, "wall");
  int32_t first = scenes_bar(b, VIPER_BODY_GROUP_MAX_NODES + 200, 200, 0.05, &scenes_rubber);
  int32_t twig = fixture_node(b, 100, 0.1, 0, 0.05);
  scenes_segment(b, first + 2000, twig, &scenes_rubber);
  scenes_disturb(b, 0.002, 0.2, 31);
  scenes_pin_node(b, first, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  scenes_pin_frame(b, 0, wall);
  return fixture_freeze(b);
}

START_TEST(threads_share_a_long_rod) {
  static const char *const threads[] = {"2", "3"};
  const char *set[3];
  int n_sets = sets_here(set);
  vb_scene *scene = long_rod();
  ck_assert_uint_gt(vb_scene_count(scene, VB_SET_NODE), VIPER_DIVIDED_NODES);
  handle first = run(scene, _i, set[0], "1");
  for (int k = 0; k < n_sets; k++) {
    handle s = run(scene, _i, set[k], threads[k % 2]);
    ck_assert_msg(handle_same(&first, &s), "%s, %s threads", set[k], threads[k % 2]);
    handle_close(&s);
  }
  handle_close(&first);
  free(scene);
}
END_TEST

enum { CHAIN = VIPER_BODY_GROUP_MAX_NODES + 700, STEPS = 2, SUBSTEPS = 2 };

/// A long chain, which is swept in tiles. Where it is not `uniform` its rest data vary, and nodes
/// and frames along its first half are pinned, each in its own way. With a `soft` end, where
/// surface_bend does not act, it is no plain chain, so it is swept element by element.
static vb_scene *long_chain(bool uniform, bool soft) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  int32_t wall = scenes_wall(b, "wall");
  for (int32_t i = 0; i < CHAIN; i++) {
    const scenes_material *m = soft && i > CHAIN - 3 ? &scenes_no_surface : &scenes_rubber;
    double x = i / 16.0, bent = uniform ? 0 : 0.4 * sin(0.3 * x);
    fixture_node(b, x, bent, 0, uniform ? 0.05 : 0.05 + 0.01 * cos(0.7 * i));
    if (i > 0)
      scenes_segment(b, i - 1, i, m);
  }
  scenes_disturb(b, 0.002, 0.2, 31);
  scenes_pin_node(b, 0, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  scenes_pin_frame(b, 0, wall);
  for (int32_t i = 1; !uniform && i < 20; i++) {
    if (i % 3 > 0)
      scenes_pin_node(b, 101 * i, 1U << i % 4, wall);
    if (i % 3 < 2)
      scenes_pin_frame(b, 100 * i, wall);
  }
  if (solid)
    scenes_solidify(b, 1);
  return fixture_freeze(b);
}

/// What tiles are made of: `special` is how many of them have pins or rest data of their own.
static void check_cut(const vb_scene *scene, bool colored, bool chain, bool uniform) {
  viper_model *m;
  viper_tiling tiling;
  ck_assert_int_eq(viper_model_create(scene, colored, &m, NULL), VB_OK);
  ck_assert_int_eq(viper_tiling_create(m, 0, 0, &tiling, NULL), VB_OK);
  ck_assert_int_eq(tiling.n > 0, chain);
  if (chain) {
    int expected = !uniform ? 0 : colored ? VIPER_ALONG : VIPER_CHAIN;
    ck_assert_int_eq(tiling.plain.uniform, expected);
    ck_assert_int_gt(tiling.n_special, uniform ? 0 : tiling.n / 4);
    ck_assert_int_lt(tiling.n_special, tiling.n);
    ck_assert_uint_gt(tiling.n_pins, 0);
  }
  viper_tiling_destroy(&tiling);
  viper_model_destroy(m);
}

/// Whether the first `n` numbers of a field are bitwise those of another handle.
static bool same_field(const handle *a, const handle *b, const char *field, size_t n) {
  double *x = handle_read(a, field), *y = handle_read(b, field);
  bool same = memcmp(x, y, n * sizeof *x) == 0;
  free(x);
  free(y);
  return same;
}

static handle run_chain(const vb_scene *scene, int v, const char *instructions, const char *threads,
                        int iterations) {
  char text[16];
  snprintf(text, sizeof text, "%d", iterations);
  handle s = handle_open(scene, "method", methods[v % METHODS], "precision",
                         precisions[v / METHODS], "instructions", instructions, "threads", threads,
                         "iterations", text, "substeps", "2", "tolerance", "0", NULL);
  handle_step(&s, 1);
  handle_set(&s, "threads", "3"); // more than there were, or as many
  handle_step(&s, STEPS - 1);
  return s;
}

/// A long chain in tiles moves bitwise as it does element by element, except where its other end
/// is felt: so far as sweeps reach. Tiles are looked up never again, once, and twice.
static void check_windows(int variant, bool uniform, int iterations) {
  static const char *const threads[] = {"2", "1", "3"};
  const size_t reach = (size_t)(VIPER_SWEEP_REACH * iterations * STEPS * SUBSTEPS + 8);
  const char *set[3];
  int n_sets = sets_here(set);
  ck_assert_uint_lt(reach, CHAIN / 2);
  vb_scene *plain = long_chain(uniform, false), *soft = long_chain(uniform, true);
  bool colored = variant % METHODS != 2;
  check_cut(plain, colored, true, uniform);
  check_cut(soft, colored, false, uniform);
  handle element = run_chain(soft, variant, set[0], "2", iterations);
  for (int k = 0; k < n_sets; k++) {
    handle s = run_chain(plain, variant, set[k], threads[k], iterations);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
      ck_assert_msg(same_field(&element, &s, fields[f], CHAIN - reach), "%s, %s, %s",
                    methods[variant % METHODS], set[k], fields[f]);
    ck_assert(!same_field(&element, &s, "scale", CHAIN));
    handle_close(&s);
  }
  handle_close(&element);
  free(plain);
  free(soft);
}

START_TEST(windows_leave_the_bits_alone) {
  if (_i % METHODS == 0)
    return; // direct does not sweep
  check_windows(_i, true, 10);
  check_windows(_i, false, 13);
  check_windows(_i, false, 21);
}
END_TEST

/// Bodies of the material model solid side by side and alone, and long chains of it in tiles and
/// element by element, by the methods that take it.
START_TEST(solid_bodies_keep_their_bits) {
  if (!strcmp(methods[_i % METHODS], "jacobi-published"))
    return;
  solid = true;
  check_company((recipe){BAR, true, false, true}, 37, _i);
  check_company((recipe){OCTOPUS, true, true, false}, 5, _i);
  if (_i % METHODS == 0)
    return; // direct does not sweep
  check_windows(_i, true, 10);
  check_windows(_i, false, 13);
}
END_TEST

/// Solid rods so bent and stretched that blocks do not bound Phi and steps are limited, side by
/// side and alone. Few of them show what a limit at the end of a lane reads, so many are looked at.
START_TEST(limited_steps_keep_their_bits) {
  enum { RODS = 120 };
  const int variant = _i * METHODS + 2; // block-descent
  const recipe r = {LONG, true, false, true};
  const char *set[3];
  int n_sets = sets_here(set);
  solid = true;
  moved = 0.04;
  vb_scene *together = bodies(r, 0, RODS);
  handle all = run(together, variant, set[0], "1");
  for (int rod = 0; rod < RODS; rod++) {
    vb_scene *alone = bodies(r, rod, rod + 1);
    for (int k = 0; k < n_sets; k++) {
      handle one = run(alone, variant, set[k], "1");
      ck_assert_msg(same_body(&all, rod, &one), "rod %d by %s", rod, set[k]);
      handle_close(&one);
    }
    free(alone);
  }
  handle_close(&all);
  free(together);
}
END_TEST

/// Chains whose iterations end at a tolerance, side by side and alone.
START_TEST(chains_end_at_a_tolerance) {
  tolerance = "1e-6";
  check_company((recipe){BAR, true, true, true}, 37, _i * METHODS);
  check_company((recipe){BAR, true, false, false}, 37, _i * METHODS);
}
END_TEST

/// Bodies that touch a half-plane, side by side and alone: each iteration is a call of its own, and
/// contacts move bodies in between. Without the half-plane they move otherwise.
START_TEST(touching_bodies_keep_their_bits) {
  const recipe bar = {BAR, true, false, true}, pinned = {LONG, true, true, false};
  const char *set[3];
  sets_here(set);
  vb_scene *scene[2];
  handle s[2];
  for (int i = 0; i < 2; i++) {
    grounded = i == 1;
    scene[i] = bodies(bar, 0, 1);
    s[i] = run(scene[i], _i, set[0], "1");
  }
  ck_assert(!same_body(&s[0], 0, &s[1]));
  for (int i = 0; i < 2; i++) {
    handle_close(&s[i]);
    free(scene[i]);
  }
  check_company(bar, 37, _i);
  check_company(pinned, 5, _i);
}
END_TEST

/// Of a long chain the factor is made panel by panel, twice: bitwise the same, in double to the
/// minimum of Phi.
START_TEST(strips_leave_the_bits_alone) {
  static const char *const threads[] = {"2", "3", "1"};
  const int variant = _i / 2 * METHODS; // direct
  const char *set[3];
  int n_sets = sets_here(set);
  vb_scene *scene = long_chain(_i % 2, false);
  handle first = run_chain(scene, variant, set[0], "1", 8);
  if (variant == 0) // eight iterations square the residual to below rounding errors
    ck_assert_double_lt(handle_residual(&first), 1e-10);
  for (int k = 0; k < n_sets; k++) {
    handle s = run_chain(scene, variant, set[k], threads[k], 8);
    ck_assert_msg(handle_same(&first, &s), "%s, %s threads", set[k], threads[k]);
    handle_close(&s);
  }
  handle_close(&first);
  free(scene);
}
END_TEST

static TCase *strict(void) {
  TCase *t = tcase_create("strict");
  tcase_add_test(t, instruction_sets_are_told);
  tcase_add_loop_test(t, company_leaves_the_bits_alone, 0, VARIANTS);
  tcase_add_loop_test(t, a_burst_leaves_others_alone, 0, VARIANTS);
  tcase_add_loop_test(t, widths_and_threads_leave_the_bits_alone, 0, VARIANTS);
  tcase_add_loop_test(t, threads_share_a_long_rod, 0, VARIANTS);
  tcase_add_loop_test(t, windows_leave_the_bits_alone, 0, VARIANTS);
  tcase_add_loop_test(t, solid_bodies_keep_their_bits, 0, VARIANTS);
  tcase_add_loop_test(t, limited_steps_keep_their_bits, 0, 2);
  tcase_add_loop_test(t, chains_end_at_a_tolerance, 0, 2);
  tcase_add_loop_test(t, touching_bodies_keep_their_bits, 0, VARIANTS);
  tcase_add_loop_test(t, strips_leave_the_bits_alone, 0, 4);
  return t;
}

VB_TEST_MAIN("viper lanes", strict())
