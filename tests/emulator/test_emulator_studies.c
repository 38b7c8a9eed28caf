// SPDX-License-Identifier: GPL-3.0-or-later
/// The scenes of studies in the emulator: step by step the CPU's bits, by every method, in both
/// precisions by turns, on devices and by schedules by turns. The first scenes of a few studies,
/// unless ALL is set ("make emulated"): then all, over 100 steps where they are small.
/// Covers: src/viper/cuda/*.[ch] src/viper/cuda/*/*
#include "cuda/cuda_studies.h"
#include "emulator.h"

/// Large scenes get fewer steps: at least one, and none where they have more nodes than that.
enum {
  MOST_NODES = 1500,
  MOST_STEPS = 100,
  FEW_STEPS = 12,
  NODE_STEPS = 6600,
  FEW_NODE_STEPS = 200
};

/// Nodes of a body that `direct` factors in the CPU's order on each of these devices, in double,
/// too. Larger ones get a device of endless shared memory.
enum { SMALL_BODY = 36 };

static const struct {
  int multiprocessors, threads;
  size_t shared;
} devices[] = {{4, 384, 232448}, {1, 64, 49152}, {2, 1024, 101376}, {4, 512, 64 << 20}};

/// Studies whose first scenes are tried without ALL. Of the pairs of sets of elements, damping,
/// friction and other features that occur together in the scenes of any study, they have 98 %.
enum { FIRST_SCENES = 3 };
static const char *const few[] = {"bundle_contact", "fem_band",        "first_guess",
                                  "follower_loads", "friction_bodies", "leg",
                                  "rest_shapes",    "rope_contact",    "umetani_ring"};
enum { N_FEW = sizeof few / sizeof *few };

static bool chosen(const char *name) {
  const char *one = getenv("STUDY");
  if (one)
    return strcmp(one, name) == 0;
  bool is = getenv("ALL") != NULL;
  for (size_t k = 0; k < N_FEW; k++)
    is |= strcmp(few[k], name) == 0;
  return is;
}

/// Scenes by `direct` without ALL, too: in the 20th step the motion of a node that has no contacts
/// is truncated; in the 23rd a frame of a plane motion turns by no angle, whose sign depends on the
/// zeros that a factorization stores.
static const struct {
  const char *study, *run;
  int v, steps;
} singles[] = {{"contact_passing", "newton-held-speed20", CASE_DIRECT, 22},
               {"follower_loads", "n8", CASE_DIRECT + CASE_METHODS, 23}};
enum { N_SINGLES = sizeof singles / sizeof *singles };

/// The single scene of a study; -1 where it has none, or all of its scenes are tried.
static int single_of(int i) {
  for (int k = 0; k < N_SINGLES; k++)
    if (!getenv("ALL") && !getenv("STUDY") && strcmp(studies[i].name, singles[k].study) == 0)
      return k;
  return -1;
}

static void emulate(int v, int turn, size_t largest) {
  int device = case_is_direct(v) && largest > SMALL_BODY ? 3 : turn % 3;
  emulator_forget();
  emulator_schedule(turn / 3 % 3, 7 + (unsigned)turn, 0);
  emulator_device(devices[device].multiprocessors, devices[device].threads, devices[device].shared);
}

/// Steps both on, comparing after some of them.
static void compare(const vb_scene *scene, const char *name, int v, int steps) {
  handle cpu = case_open(scene, v, "cpu"), cuda = case_open(scene, v, "cuda");
  bool well = true;
  for (int done = 0, n = 1; well && done < steps; done += n) {
    n = done < 2 ? 1 : steps - done < 20 ? steps - done : 20;
    well = handle_try(&cpu, n);
    ck_assert_msg(handle_try(&cuda, n) == well, "%s, %s, %s: one fails by step %d", name,
                  case_methods[v % CASE_METHODS], case_precisions[v / CASE_METHODS], done + n);
    ck_assert_msg(!well || case_same_state(&cpu, &cuda), "%s, %s, %s: differs by step %d", name,
                  case_methods[v % CASE_METHODS], case_precisions[v / CASE_METHODS], done + n);
  }
  handle_close(&cpu);
  handle_close(&cuda);
  ck_assert_str_eq(emulator_fault(), "");
  ck_assert_uint_eq(emulator_leaks(), 0);
}

/// A scene by every method, in both precisions by turns.
static void compare_methods(const vb_scene *scene, const char *name, int i, int n_scenes,
                            int steps) {
  for (int m = 0; m < CASE_METHODS; m++) {
    int v = m + CASE_METHODS * ((n_scenes + m) % 2);
    if (studies_vanish(studies[i].name, v))
      continue;
    emulate(v, i + CASE_METHODS * n_scenes + m, studies_largest(scene));
    compare(scene, name, v, steps);
  }
  fprintf(stderr, "%s: %d steps by each method\n", name, steps);
}

static void compare_single(const vb_scene *scene, const char *name, int i, int single) {
  const int v = singles[single].v, steps = singles[single].steps;
  emulate(v, i, studies_largest(scene));
  compare(scene, name, v, steps);
  fprintf(stderr, "%s: %d steps by %s\n", name, steps, case_methods[v % CASE_METHODS]);
}

static int steps_of(int n_nodes) {
  const int budget = getenv("ALL") ? NODE_STEPS : FEW_NODE_STEPS;
  const int most = getenv("ALL") ? MOST_STEPS : FEW_STEPS, steps = budget / n_nodes;
  return steps < 1 ? 1 : steps > most ? most : steps;
}

START_TEST(studies_are_the_cpus) {
  size_t n_chosen = 0, least = getenv("STUDY") ? 1 : N_FEW + 1;
  for (int k = 0; k < (int)n_studies; k++)
    n_chosen += chosen(studies[k].name) || single_of(k) >= 0;
  ck_assert_uint_ge(n_chosen, least); // else one of them has another name
  const int single = single_of(_i);
  const bool is_chosen = chosen(studies[_i].name);
  if (!is_chosen && single < 0)
    return;
  vb_study *study = studies_load((size_t)_i);
  int n_scenes = 0, n_singles = 0;
  for (size_t k = 0; k < study->n_runs; k++) {
    const vb_scene *scene = study->runs[k].scene;
    const bool is_single = single >= 0 && strcmp(study->runs[k].name, singles[single].run) == 0;
    const bool is_wanted = is_chosen && (getenv("ALL") || n_scenes < FIRST_SCENES);
    if (!studies_is_new(study, k) || (!is_single && !is_wanted))
      continue;
    char name[256];
    snprintf(name, sizeof name, "%s of %s", study->runs[k].name, studies[_i].name);
    int n = (int)vb_scene_count(scene, VB_SET_NODE);
    if (n > MOST_NODES) {
      vb_skip(name, "more nodes than are emulated");
      continue;
    }
    if (is_single) {
      compare_single(scene, name, _i, single);
      n_singles++;
    }
    if (is_wanted)
      compare_methods(scene, name, _i, n_scenes, steps_of(n));
    n_scenes++;
  }
  ck_assert(getenv("ALL") || n_scenes > 0);
  ck_assert_int_eq(n_singles, single >= 0); // else its run has another name
  vb_study_destroy(study);
}
END_TEST

int main(void) {
  emulator_read();
  // With ALL a study has up to 26 scenes, by four methods; and the processor may be busy. Check has
  // no room for microseconds of more than 2147 s.
  return studies_main("emulator studies", studies_are_the_cpus, getenv("ALL") ? 2100 : 600, NULL);
}
