// SPDX-License-Identifier: GPL-3.0-or-later
/// Tables of fields, options and saved state: those of a solver made up here, and what the tables
/// of every solver of the program promise.
/// Covers: src/solver/fields.* src/solver/state.*
#include "promises.h"
#include "scenes/arm.h"

#include "solver/instance.h"

/// A solver whose one number grows by `rate` a step, and which misses its tolerance in step 3.
typedef struct counter {
  vb_instance base;
  double *at, *rows, *left_out; ///< 1; 2; null
  int n_steps;
  double pair[2];
  double rate;
  int order;
  bool odd;
  int n_set;
} counter;

static void fill_segments(void *self, double *out) {
  for (size_t i = 0; i < vb_scene_count(((counter *)self)->base.scene, VB_SET_SEGMENT); i++)
    out[i] = (double)i;
}

static vb_status read_late(void *self, double *out, vb_error *error) {
  *out = 0;
  return ((counter *)self)->n_steps < 4 ? VB_OK : vb_error_set(error, VB_UNAVAILABLE, "too late");
}

static size_t count_own(const void *self, size_t n) {
  (void)self;
  return n == 0 ? 2 : 99; // there are none of the scene's
}

static size_t count_none(const void *self, size_t n) {
  (void)self, (void)n;
  return 0;
}

#define FIELDS(X)                                                                                  \
  X("at", VB_AT_SCENE, 1, "1", "an array", .array = VB_ARRAY(at))                                  \
  X("own", VB_AT_OWN, 1, "1", "elements of its own", .array = VB_ARRAY(rows), .count = count_own)  \
  X("pair", VB_AT_SCENE, 2, "1", "in the instance", .number = VB_NUMBER(pair))                     \
  X("steps", VB_AT_SCENE, 1, "1", "a whole number", .whole = VB_WHOLE(n_steps))                    \
  X("number", VB_AT_SEGMENT, 1, "1", "by a function", .fill = fill_segments)                       \
  X("late", VB_AT_SCENE, 1, "1", "by a function that may fail", .read = read_late)                 \
  X("none", VB_AT_NODE, 3, "1", "not here", .array = VB_ARRAY(left_out), .count = count_none)
#define ENERGIES(X) X(FIRST, "first", "of the number", true) X(SECOND, "second", "twice it", false)
#define OPTIONS(X)                                                                                 \
  X("rate", "1", NULL, 0, 10, false, true, "what is added", NUMBER, rate)                          \
  X("order", "up", "up|down|still", 0, 0, false, true, "one of three", WORD, order)                \
  X("odd", "no", "no|yes", 0, 0, false, false, "one of two", SECOND, odd)

enum { ENERGIES(VB_ENERGY_INDEX) N_ENERGIES };

VB_TABLES(counter, FIELDS, ENERGIES, OPTIONS)

static const char *const phases[] = {"first", "second"};
static const vb_solver_description description = {
    VB_LISTS,         .name = "counter", .long_name = "counts", .sets = UINT64_MAX,
    .phases = phases, .n_phases = 2,     .has_residual = true,  .has_reactions = true};

static void read_energies(void *self, double *out) {
  out[SECOND] = 2 * *((counter *)self)->at;
  out[FIRST] = *((counter *)self)->at;
}

static void read_work(void *self, double *out) {
  for (size_t i = 0; i < vb_work_count(((counter *)self)->base.scene); i++)
    out[i] = 0;
}

static vb_status build(void *self, vb_error *error) {
  counter *c = self;
  size_t total;
  const vb_state_array arrays[] = {{&c->at, 1}, {&c->left_out, VB_NO_ARRAY}, {&c->rows, 2}};
  vb_status status = vb_state_create(arrays, 3, &total, error);
  ck_assert(status == VB_OK && total == 3 && !c->left_out && c->rows == c->at + 1);
  c->pair[1] = c->rate; // kept before
  c->pair[0] = 5;
  return VB_OK;
}

static void clear(void *self) {
  free(((counter *)self)->at);
}

static vb_status set(void *self, vb_error *error) {
  (void)error;
  ((counter *)self)->n_set++;
  return VB_OK;
}

static vb_status step(void *self, vb_error *error) {
  (void)error;
  counter *c = self;
  *c->at += c->rate;
  c->rows[1] = vb_instance_time(&c->base);
  c->n_steps++;
  vb_instance_note_convergence(&c->base, c->n_steps != 3, 0.25 * c->n_steps, 0.5);
  if (c->n_steps == 5)
    vb_instance_note_divergence(&c->base, "%d is enough", c->n_steps);
  return VB_OK;
}

static void carry(void *self, vb_state_copy *copy) {
  counter *c = self;
  VB_CARRY(copy, c->at, 1);
  VB_CARRY(copy, c->rows, 2);
  VB_CARRY_ONE(copy, c->n_steps);
}

static void reactions(void *self, double *force, double *torque) {
  force[1] += *((counter *)self)->at;
  torque[2] -= *((counter *)self)->at;
}

static const vb_solver_parts parts = {.bytes = sizeof(counter),
                                      .about = &description,
                                      .fields = reading_list,
                                      .settings = &setting_table,
                                      .energies = {.fill = read_energies},
                                      .work = {.fill = read_work},
                                      .timer = {.number = VB_NUMBER(pair)},
                                      .residual = {.array = VB_ARRAY(at)},
                                      .build = build,
                                      .clear = clear,
                                      .set = set,
                                      .step = step,
                                      .carry = carry,
                                      .reactions = reactions};

VB_INSTANCE_SOLVER(counter, parts, .convergence = vb_instance_convergence);

/// A helix that hangs from its end and is pushed, the more the later.
static vb_scene *rods(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_helix(b, 7, 0, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, scenes_wall(b, "wall"));
  scenes_push(b, 6, 0, 0, 1e-3, 0);
  size_t n;
  vb_load *load = vb_builder_elements(b, VB_SET_LOAD, &n);
  load->amplitude = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 1}});
  return fixture_freeze(b);
}

static vb_scene *solid(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  solid_box s = solids_box(b, (const int32_t[]){2, 1, 1}, (const double[]){2, 1, 1}, 0.3, 0);
  solids_pin_face(&s, 0, 0, solids_driver(b, "wall", -1, -1));
  return fixture_freeze(b);
}

static vb_scene *flesh(void) {
  return arm_scene(false);
}

static vb_scene *bars(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  int32_t bone = bones_bar(b, "bar", 0, 0, 0, 1);
  vb_link link =
      bones_link("hinge", VB_LINK_HINGE, bone, -1, solids_driver(b, "wall", -1, -1), 0, 0, 0);
  fixture_add(b, VB_SET_LINK, &link);
  return fixture_freeze(b);
}

/// A new instance of a solver with its defaults.
static handle open_new(const vb_solver *solver, const vb_scene *scene) {
  handle s = {.solver = solver, .scene = scene};
  vb_error error = {0};
  ck_assert_msg(!solver->create(solver, scene, NULL, 0, &s.self, &error), "%s", error.message);
  return s;
}

START_TEST(fields_are_read_as_their_rows_say) {
  vb_scene *scene = rods();
  handle s = open_new(&counter_solver, scene);
  double out[8] = {0};
  handle_step(&s, 2);
  promises_outputs(&s);
  promises_refusals(&s);
  ck_assert_double_eq(handle_value(&s, "at", 0), 2);
  ck_assert_double_eq(handle_value(&s, "own", 1), 0.01); // where the second step began
  ck_assert_double_eq(handle_value(&s, "pair", 0), 5);
  ck_assert_double_eq(handle_value(&s, "pair", 1), 1); // options were kept before it was built
  ck_assert_double_eq(handle_value(&s, "steps", 0), 2);
  ck_assert_double_eq(handle_value(&s, "number", 3), 3);
  ck_assert_uint_eq(s.solver->count(s.self, 4), vb_scene_count(scene, VB_SET_SEGMENT));
  ck_assert_double_eq(handle_energy(&s, "second"), 4);
  ck_assert_int_eq(s.solver->reactions(s.self, out, out + 3, NULL), VB_OK);
  ck_assert(out[0] == 0 && out[1] == 2 && out[4] == 0 && out[5] == -2);
  handle_step(&s, 2);
  vb_error error = {0};
  ck_assert_int_eq(s.solver->read(s.self, 5, out, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, "too late");
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(options_are_kept_by_themselves) {
  vb_scene *scene = rods();
  handle s = open_new(&counter_solver, scene);
  vb_error error = {0};
  char value[64];
  promises_options(&s);
  ck_assert_int_eq(((counter *)s.self)->n_set, 1);
  handle_set(&s, "order", "still");
  ck_assert(((counter *)s.self)->n_set == 2 && ((counter *)s.self)->order == 2);
  ck_assert_int_eq(s.solver->set_option(s.self, "odd", "yes", &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "option odd cannot change once a run has begun");
  ck_assert_int_eq(s.solver->set_option(s.self, "order", "up|down", &error), VB_BAD_INPUT);
  ck_assert_int_eq(s.solver->get_option(s.self, "orders", value, sizeof value, &error),
                   VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "the counter solver has no option \"orders\"");
  ck_assert_int_eq(((counter *)s.self)->order, 2);
  handle_set(&s, "rate", "0.1234567890123456");
  promises_get(&s, "rate", value);
  ck_assert_double_eq(strtod(value, NULL), 0.1234567890123456);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(steps_end_at_a_divergence_and_are_counted) {
  vb_scene *scene = rods();
  handle s = open_new(&counter_solver, scene);
  vb_convergence c;
  vb_divergence divergence;
  promises_state(&s);
  ck_assert(!handle_try(&s, 9));
  ck_assert_int_eq(s.solver->sync(s.self, &divergence, NULL), VB_OK);
  ck_assert_int_eq(divergence.step, 5);
  ck_assert_str_eq(divergence.what, "5 is enough");
  ck_assert_int_eq(s.solver->convergence(s.self, &c, NULL), VB_OK);
  ck_assert(c.evaluated == 5 && c.missed == 1 && c.worst == 1.25 && c.tolerance == 0.5);
  ck_assert_str_eq(c.what, "step 3 ended with the residual 0.75, tolerance 0.5");
  handle_close(&s);
  free(scene);
}
END_TEST

/// A scene for each solver of the program: the first that it takes.
static vb_scene *scene_for(const vb_solver *solver) {
  vb_scene *(*const make[])(void) = {rods, solid, bars, flesh};
  for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
    vb_scene *scene = make[i]();
    void *self = NULL;
    if (solver->create(solver, scene, NULL, 0, &self, NULL) == VB_OK) {
      solver->destroy(self);
      return scene;
    }
    free(scene);
  }
  ck_abort_msg("no scene is for solver %s", solver->describe(solver)->name);
}

START_TEST(solvers_of_the_program_keep_their_tables) {
  for (const vb_solver *const *at = vb_solver_table(); *at; at++) {
    vb_scene *scene = scene_for(*at);
    handle s = open_new(*at, scene);
    promises_outputs(&s);
    ck_assert_double_eq(handle_energy(&s, "kinetic"), 0);
    handle_step(&s, 3);
    bool moves = strcmp((*at)->describe(*at)->name, "cosserat") != 0; // which has statics alone
    ck_assert(moves == (handle_energy(&s, "kinetic") > 0));
    promises_outputs(&s);
    promises_refusals(&s);
    promises_state(&s);
    if (strcmp((*at)->describe(*at)->name, "viper") != 0) // whose options depend on each other
      promises_options(&s);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

static vb_convergence convergence_of(handle *s) {
  vb_convergence c;
  ck_assert_int_eq(s->solver->convergence(s->self, &c, NULL), VB_OK);
  return c;
}

/// What a solver says of three steps with so many iterations each.
static vb_convergence converge(const char *solver, const vb_scene *scene, const char *iterations) {
  handle s = handle_open_as(solver, scene, "iterations", iterations, "tolerance", "1e-7", NULL);
  handle_step(&s, 3);
  vb_convergence c = convergence_of(&s);
  handle_close(&s);
  return c;
}

START_TEST(solvers_with_a_tolerance_tell_whether_they_met_it) {
  static const char *const names[] = {"bergou", "neohookean", "articulated"};
  vb_scene *(*const make[])(void) = {rods, solid, flesh};
  vb_scene *scene = make[_i]();
  vb_convergence many = converge(names[_i], scene, "2000"), one = converge(names[_i], scene, "1");
  ck_assert_msg(many.evaluated == 3 && many.missed == 0 && many.what[0] == 0, "%s: %s", names[_i],
                many.what);
  ck_assert(many.tolerance > 0 && many.worst <= many.tolerance);
  ck_assert(one.evaluated == 3 && one.missed > 0 && one.worst > one.tolerance);
  ck_assert_ptr_nonnull(strstr(one.what, " ended with the residual "));
  handle s = handle_open_as(names[_i], scene, "tolerance", "0", NULL);
  handle_step(&s, 1);
  ck_assert_int_eq(convergence_of(&s).evaluated, 0);
  handle_close(&s);
  // Steps that end by their number, unless another tolerance is asked for, are not judged.
  s = handle_open_as(names[_i], scene, "iterations", "1", NULL);
  handle_step(&s, 1);
  ck_assert_int_eq(convergence_of(&s).evaluated, strcmp(names[_i], "articulated") != 0);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(viper_gives_the_tolerance_of_methods_that_have_one) {
  static const struct {
    const char *method, *dynamics;
    double tolerance;
  } cases[] = {{"direct", "transient", 1e-5},
               {"xpbd", "transient", 0},
               {"block-descent", "transient", 0},
               {"block-descent", "static", 1e-5}};
  vb_builder *b = scenes_begin(0.01, 9.81);
  int32_t wall = scenes_wall(b, "wall");
  scenes_helix(b, 7, 0, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  vb_scene *scene = fixture_freeze(b);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    handle s = handle_open(scene, "method", cases[i].method, "dynamics", cases[i].dynamics,
                           "tolerance", "1e-5", NULL);
    vb_convergence c = convergence_of(&s);
    ck_assert(c.evaluated == 0 && c.tolerance == cases[i].tolerance);
    handle_close(&s);
  }
  free(scene);
}
END_TEST

static TCase *tables(void) {
  TCase *c = tcase_create("tables");
  tcase_set_timeout(c, 60);
  tcase_add_test(c, fields_are_read_as_their_rows_say);
  tcase_add_test(c, options_are_kept_by_themselves);
  tcase_add_test(c, steps_end_at_a_divergence_and_are_counted);
  tcase_add_test(c, solvers_of_the_program_keep_their_tables);
  tcase_add_loop_test(c, solvers_with_a_tolerance_tell_whether_they_met_it, 0, 3);
  tcase_add_test(c, viper_gives_the_tolerance_of_methods_that_have_one);
  return c;
}

VB_TEST_MAIN("instance", tables())
