// SPDX-License-Identifier: GPL-3.0-or-later
/// What the CUDA backend plans before it meets a device: which lanes work on which bodies, and the
/// memory that a scene takes.
/// Covers: src/viper/cuda/core/bounds.* src/viper/cuda/core/coop_plan.c src/viper/cuda/*/host.h
#include "cuda/cuda_bundle_cases.h"
#include "cuda/cuda_contact_cases.h"
#include "viper/cuda/bundle/host.h"
#include "viper/cuda/core/host.h"

/// About an H200: 132 multiprocessors of 228 KiB, 227 for one block; 384 lanes with 168 registers.
static const viper_device_limits large = {
    132, 227 * 1024, 228 * 1024, 1024, 384, VIPER_COLUMNS_AT_ONCE, 0, 0};

typedef struct planned {
  vb_scene *scene;
  viper_model *model;
  viper_body_groups body_groups;
  viper_coops coops;
} planned;

static planned plan(vb_scene *scene, viper_method method, const viper_device_limits *limits) {
  planned p = {.scene = scene};
  ck_assert_int_eq(viper_model_create(scene, true, &p.model, NULL), VB_OK);
  bool direct = method == VIPER_DIRECT;
  const viper_grouping grouping = {.direct = direct};
  ck_assert_int_eq(viper_body_groups_create(p.model, &grouping, &p.body_groups, NULL), VB_OK);
  ck_assert_int_eq(viper_body_groups_complete(p.model, direct, &p.body_groups, NULL), VB_OK);
  ck_assert_uint_eq(p.body_groups.n_singles, 0);
  ck_assert_int_eq(viper_coops_create(&p.body_groups, method, 4, limits, &p.coops, NULL), VB_OK);
  return p;
}

static void drop(planned *p) {
  viper_coops_destroy(&p->coops);
  viper_body_groups_destroy(&p->body_groups);
  viper_model_destroy(p->model);
  free(p->scene);
}

static vb_scene *rods(int n, int segments) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < n; k++)
    scenes_bar(b, segments, 0.05 * segments, 0.03, &scenes_rubber);
  return fixture_freeze(b);
}

/// Every body is in one class; classes go from few lanes to many, the grid last; what blocks ask
/// for is there.
START_TEST(every_body_has_a_coop_class) {
  for (int c = 0; c < 2 * N_CUDA_CASES; c++) {
    planned p = plan(cuda_cases[c / 2].scene(), c % 2 ? VIPER_DIRECT : VIPER_XPBD, &large);
    int32_t *seen = calloc(p.model->n_bodies, sizeof *seen), next = 0;
    for (size_t i = 0; i < p.coops.n; i++) {
      const viper_coop_class *t = &p.coops.item[i];
      ck_assert_int_eq(t->first, next);
      next += t->n_bodies;
      ck_assert(t->coop_size == 0 || t->threads % t->coop_size == 0);
      ck_assert(t->coop_size == 0 ||
                4 * t->n_workspace * (size_t)(t->threads / t->coop_size) <= large.shared_of_block);
      ck_assert(i == 0 || t->coop_size == 0 || t->coop_size > p.coops.item[i - 1].coop_size);
    }
    ck_assert_uint_eq((size_t)next, p.model->n_bodies);
    for (int32_t k = 0; k < next; k++)
      ck_assert_int_eq(seen[p.coops.body[k]]++, 0);
    free(seen);
    drop(&p);
  }
}
END_TEST

/// Few bodies are worked on by many lanes each, many by few: a lane each for every element of a
/// phase is quickest alone, and idle lanes cost where there are enough bodies. What does not fit a
/// block's memory is the whole grid's.
START_TEST(coop_sizes_suit_the_count_and_the_size) {
  planned few = plan(rods(4, 32), VIPER_BLOCK_DESCENT, &large);
  planned many = plan(rods(6000, 32), VIPER_BLOCK_DESCENT, &large);
  planned long_rod = plan(rods(1, 6000), VIPER_BLOCK_DESCENT, &large);
  ck_assert_uint_eq(few.coops.n, 1);
  ck_assert_int_ge(few.coops.item[0].coop_size, 16);
  ck_assert_uint_eq(many.coops.n, 1);
  ck_assert_int_lt(many.coops.item[0].coop_size, few.coops.item[0].coop_size);
  ck_assert_int_eq(long_rod.coops.item[0].coop_size, 0);
  planned short_rod = plan(rods(1, 200), VIPER_DIRECT, &large);
  ck_assert_int_gt(short_rod.coops.item[0].coop_size, 0);
  drop(&short_rod);
  // 33 nodes of three colors (surface_bend ties scales) and 32 frames of two: five rounds of
  // sixteen lanes; and 31 joints that take notes three times
  ck_assert_int_eq(viper_coop_rounds(&few.body_groups.group[0], VIPER_BLOCK_DESCENT, 16),
                   5 + 3 * 2);
  ck_assert_int_eq(viper_coop_rounds(&few.body_groups.group[0], VIPER_BLOCK_DESCENT, 1),
                   65 + 3 * 31);
  drop(&few);
  drop(&many);
  drop(&long_rod);
}
END_TEST

/// Methods with constraints fill the threads of small groups, in rounds; where a group has a thread
/// for each element of a color, colors are the rounds. A quarter of a round is counted for each
/// round of what goes over 33 nodes, 32 segments or 31 joints.
START_TEST(constraints_of_many_bodies_go_in_rounds) {
  static const viper_method methods[] = {VIPER_XPBD, VIPER_JACOBI_PUBLISHED};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    planned few = plan(rods(4, 32), methods[k], &large);
    planned many = plan(rods(20000, 32), methods[k], &large);
    ck_assert_int_eq(few.coops.item[0].coop_size, 32);
    ck_assert_int_eq(few.body_groups.group[0].rounds.n, 0);
    ck_assert_int_eq(many.coops.item[0].coop_size, 8);
    ck_assert_int_eq(many.body_groups.group[0].rounds.n, 8);
    ck_assert_int_eq(viper_coop_rounds(&many.body_groups.group[0], methods[k], 8),
                     4 * 8 + 5 + 4 + 4);
    drop(&few);
    drop(&many);
  }
  planned sweeps = plan(rods(20000, 32), VIPER_BLOCK_DESCENT, &large);
  ck_assert_int_eq(sweeps.body_groups.group[0].rounds.n, 0);
  drop(&sweeps);
}
END_TEST

/// All that the device holds of a scene: the blocks of its device model, the list of bodies, and
/// what is near a team that is the grid.
static double device_bytes(const planned *p, viper_method method, const viper_upload_api *api) {
  const viper_settings settings = {.method = method};
  viper_device_model *device_model;
  ck_assert_int_eq(api->create(p->model, &p->body_groups, &settings, &device_model, NULL), VB_OK);
  viper_block_bytes b = viper_device_model_count(device_model);
  size_t moving = api->moving(device_model);
  const viper_coop_class *last = &p->coops.item[p->coops.n - 1];
  viper_device_model_destroy(device_model);
  double workspace = last->coop_size == 0 ? (double)last->n_workspace * api->bytes_of_real : 0;
  return (double)(b.rest + b.room + moving) + workspace + 4 * (double)p->model->n_bodies;
}

/// Bodies that something joins between iterations are in shared memory for an iteration where it
/// holds all of them at the same time: rods of 33 nodes by `xpbd` in float, 4 to 6 KiB each.
START_TEST(joined_bodies_are_in_shared_memory_where_all_of_them_fit) {
  static const struct {
    int bodies, multiprocessors;
    size_t of_block;
    bool in_shared;
  } cases[] = {{132, 132, 227 * 1024, true},
               {132, 1, 227 * 1024, false},
               {24, 1, 227 * 1024, true},
               {24, 1, 1024, false}, // room for no body
               {24, 1, 0, false}};   // that nothing joins
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const viper_device_limits limits = {cases[k].multiprocessors,
                                        VIPER_PLENTY_OF_MEMORY,
                                        VIPER_PLENTY_OF_MEMORY,
                                        1024,
                                        384,
                                        0,
                                        cases[k].of_block,
                                        228 * 1024};
    planned p = plan(rods(cases[k].bodies, 32), VIPER_XPBD, &limits);
    ck_assert_uint_eq(p.coops.n, 1);
    ck_assert_msg(p.coops.item[0].in_shared == cases[k].in_shared, "case %zu", k);
    drop(&p);
  }
}
END_TEST

/// A million nodes take less than 1 GiB in float. Bytes per node grow with nothing, so a scene of
/// 10 000 tells: rods of 33 nodes, and one rod, whose team's memory is the device's. Of that rod
/// `direct` holds the matrix of one submatrix in eight at a time, as it does of a million nodes:
/// here submatrices are a hundredth of those.
START_TEST(a_million_nodes_fit_in_a_gibibyte) {
  static const char *const names[] = {"xpbd", "block-descent", "jacobi-published", "direct"};
  static const viper_method method[] = {VIPER_XPBD, VIPER_BLOCK_DESCENT, VIPER_JACOBI_PUBLISHED,
                                        VIPER_DIRECT};
  viper_device_limits hundredth = large;
  hundredth.columns_at_once = VIPER_COLUMNS_AT_ONCE / 100;
  for (int m = 0; m < 4; m++) {
    planned one = plan(rods(1, 9999), method[m], &hundredth);
    planned many = plan(rods(303, 32), method[m], &large);
    double of_one = device_bytes(&one, method[m], &viper_upload_f32) / (double)one.model->n_nodes;
    double of_many =
        device_bytes(&many, method[m], &viper_upload_f32) / (double)many.model->n_nodes;
    fprintf(stderr, "%s: %.0f bytes a node in one rod, %.0f in rods of 33\n", names[m], of_one,
            of_many);
    if (method[m] == VIPER_DIRECT)
      ck_assert_int_eq(one.body_groups.group[0].elimination->submatrices.n, 8);
    ck_assert_double_le(of_one * 1e6, 1073741824.0);
    ck_assert_double_le(of_many * 1e6, 1073741824.0);
    drop(&one);
    drop(&many);
  }
}
END_TEST

/// What contact adds, but for the scratch of sorts: with the room that it begins with.
static double contact_bytes(const planned *p, viper_method method,
                            const viper_contact_upload_api *api) {
  viper_device_model *device_model;
  const viper_joined_setup setup = {p->model, &p->body_groups, {.method = method}};
  ck_assert_int_eq(api->create(&setup, &device_model, NULL), VB_OK);
  viper_block_bytes b = viper_device_model_count(device_model);
  viper_device_model_destroy(device_model);
  return (double)b.rest + (double)b.room;
}

/// A crowd of 10 000 octopuses of 40 nodes on a ground takes less than 1 GiB in float. Bytes per
/// body grow with nothing: 100 tell.
START_TEST(a_crowd_of_ten_thousand_fits_in_a_gibibyte) {
  static const char *const names[] = {"xpbd", "block-descent", "jacobi-published", "direct"};
  static const viper_method method[] = {VIPER_XPBD, VIPER_BLOCK_DESCENT, VIPER_JACOBI_PUBLISHED,
                                        VIPER_DIRECT};
  enum { BODIES = 100 };
  const viper_device_limits plenty = {
      132, VIPER_PLENTY_OF_MEMORY, VIPER_PLENTY_OF_MEMORY, 0, 384, 0, 0, 0};
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < BODIES; k++)
    scenes_octopus(b, 8, 8, 5.0 * k, &scenes_rubber);
  contact_add(b, 0.4, false);
  contact_ground(b, 0, 0, 0.5);
  vb_scene *scene = fixture_freeze(b);
  for (int m = 0; m < 4; m++) {
    planned p = plan(scene, method[m], &plenty);
    double of_bodies = device_bytes(&p, method[m], &viper_upload_f32) / BODIES;
    double of_contact = contact_bytes(&p, method[m], &viper_contact_upload_f32) / BODIES;
    fprintf(stderr, "%s: %.0f bytes a body, and %.0f for contact\n", names[m], of_bodies,
            of_contact);
    ck_assert_uint_eq(p.model->n_nodes, 40 * BODIES);
    ck_assert_double_le((of_bodies + of_contact) * 1e4, 1073741824.0);
    p.scene = NULL;
    drop(&p);
  }
  free(scene);
}
END_TEST

/// What bundles add.
static double bundle_bytes(const planned *p, viper_method method,
                           const viper_bundle_upload_api *api) {
  viper_device_model *device_model;
  const viper_joined_setup setup = {p->model, &p->body_groups, {.method = method}};
  ck_assert_int_eq(api->create(&setup, &device_model, NULL), VB_OK);
  viper_block_bytes b = viper_device_model_count(device_model);
  viper_device_model_destroy(device_model);
  return (double)b.rest + (double)b.room;
}

/// A million nodes of bands of three rods, each segment in a bundle, take less than 1 GiB in float.
/// Not by `direct`: what bodies are worked on with, their factors included, lies in the device's
/// memory then. It takes what is said here, and no more.
START_TEST(a_million_nodes_in_bundles_fit_in_a_gibibyte) {
  static const char *const names[] = {"xpbd", "block-descent", "jacobi-published", "direct"};
  static const viper_method method[] = {VIPER_XPBD, VIPER_BLOCK_DESCENT, VIPER_JACOBI_PUBLISHED,
                                        VIPER_DIRECT};
  const viper_device_limits plenty = {
      132, VIPER_PLENTY_OF_MEMORY, VIPER_PLENTY_OF_MEMORY, 0, 384, 0, 0, 0};
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 30; k++)
    bundle_band(b, 3, 32, k, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  for (int m = 0; m < 4; m++) {
    planned p = plan(scene, method[m], &plenty);
    double n = (double)p.model->n_nodes;
    double of_bodies = device_bytes(&p, method[m], &viper_upload_f32) / n;
    double of_bundles = bundle_bytes(&p, method[m], &viper_bundle_upload_f32) / n;
    fprintf(stderr, "%s: %.0f bytes a node, and %.0f for bundles\n", names[m], of_bodies,
            of_bundles);
    ck_assert_uint_eq(p.model->n_nodes, 30 * 3 * 33);
    ck_assert_double_le((of_bodies + of_bundles) * 1e6,
                        (method[m] == VIPER_DIRECT ? 2 : 1) * 1073741824.0);
    p.scene = NULL;
    drop(&p);
  }
  free(scene);
}
END_TEST

static TCase *plans(void) {
  TCase *t = tcase_create("plans");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, every_body_has_a_coop_class);
  tcase_add_test(t, coop_sizes_suit_the_count_and_the_size);
  tcase_add_test(t, constraints_of_many_bodies_go_in_rounds);
  tcase_add_test(t, joined_bodies_are_in_shared_memory_where_all_of_them_fit);
  tcase_add_test(t, a_million_nodes_fit_in_a_gibibyte);
  tcase_add_test(t, a_million_nodes_in_bundles_fit_in_a_gibibyte);
  tcase_add_test(t, a_crowd_of_ten_thousand_fits_in_a_gibibyte);
  return t;
}

VB_TEST_MAIN("cuda plan", plans())
