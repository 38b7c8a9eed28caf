// SPDX-License-Identifier: GPL-3.0-or-later
/// What the assembler reports of the CUDA kernels, for every architecture of the build, or for
/// sm_90 where it has PTX alone, and then of fast arithmetic in float: the reports lie beside the
/// objects. Without nvcc there are none.
/// Covers: src/viper/cuda/*/*.cu
#include "test.h"
#include "viper/cuda/contact/host.h"
#include "viper/cuda/skin/host.h"

#include <libgen.h>
#include <stdbool.h>
#include <sys/stat.h>

static char program[4096]; ///< where this test is

/// Sources, and the fewest kernels in them.
static const struct source {
  const char *name;
  int n_kernels;
  int n_numbers; ///< lines with numbers of the precision, at least: it is arithmetic that is seen
  bool solid;    ///< of bodies with the material model solid: two blocks in float, too
} sources[] = {
    // three methods, teams and grid, and the end of a substep; block descent has statics (strict)
    {"core/kernels_real", 7, 1000, false},
    {"skin/kernels_real", VIPER_SKIN_PHASES, 50, false},
    {"bundle/kernels_real", 1, 50, false},
    // parts of bodies by three methods, phases (both passes are one kernel), and the end of a
    // substep
    {"contact/kernels_real", 5 + VIPER_CONTACT_PHASES - 1 + 1, 1000, false},
    {"core/solid_real", 9, 1000, true}, // and `direct`, which others do not have
    {"contact/solid_real", 6, 1000, true},
};

/// Variants of each source.
enum { VARIANTS = 4, DOUBLE = 2, REPORTS = VARIANTS * sizeof sources / sizeof *sources };

/// A file beside the object of a report, or null where it is not there or older than the object:
/// another build has left it.
static FILE *open_report(int report, const char *ending) {
  static const char *const variants[] = {"strict.f32", "fast.f32", "strict.f64", "fast.f64"};
  char path[8192], folder[4096];
  struct stat file, object;
  snprintf(folder, sizeof folder, "%s", program);
  int stem = snprintf(path, sizeof path, "%s/../src/viper/cuda/%s.%s.o", dirname(folder),
                      sources[report / VARIANTS].name, variants[report % VARIANTS]) -
             1;
  if (stat(path, &object))
    return NULL;
  snprintf(path + stem, sizeof path - (size_t)stem, "%s", ending);
  return stat(path, &file) || file.st_mtime + 1 < object.st_mtime ? NULL : fopen(path, "r");
}

/// The most registers that a kernel may use. Teams in blocks: three blocks of 128 threads must find
/// room on a multiprocessor in float (65536 registers), two in double. Nothing may need more than
/// the 255 that a thread can have.
static int most_registers(int variant, bool solid, const char *kernel) {
  if (strstr(kernel, "end_substep"))
    return 32;
  if (strstr(kernel, "contact_coop")) // one block: of 384 threads in float, 256 in double
    return variant < DOUBLE ? 168 : 255;
  if (strstr(kernel, "bundles_in_double") || strstr(kernel, "fit_bundles"))
    return 168; // one block of 256 threads, which may have 255 each
  if (strstr(kernel, "contact_in_double") || strstr(kernel, "contact_elements"))
    return variant < DOUBLE ? 128 : 240; // blocks of 128 threads: four in float, two in double
  if (strstr(kernel, "move_surface") || strstr(kernel, "add_volume"))
    return variant < DOUBLE ? 64 : 96;
  return variant < DOUBLE && !solid && !strstr(kernel, "of_device") ? 168 : 255;
}

/// Bytes of a thread's stack, into which registers are spilled. The kernels of `direct` (method 0)
/// hold an element's Hessian beside its gradient: of all architectures from sm_75 to sm_120 they
/// take up to 72 bytes in float and 432 in double.
static int most_stack(int variant, const char *kernel) {
  return !strstr(kernel, "viper_method0") ? 0 : variant < DOUBLE ? 80 : 448;
}

/// Registers and stack (local memory, spills) within the budget; no static shared memory.
START_TEST(kernels_stay_within_their_budget) {
  FILE *report = open_report(_i, "ptxas");
  if (!report) {
    vb_skip("nvcc", "this build has no report of these kernels: make CUDA_ARCHS=all");
    return;
  }
  char line[4096], kernel[4096] = "", arch[64] = "";
  int n_kernels = 0, most = 0;
  while (fgets(line, sizeof line, report)) {
    int stack, stores, loads, registers;
    char *used = strstr(line, "Used ");
    if (sscanf(line, "ptxas info : Compiling entry function '%4095[^']' for '%63[^']'", kernel,
               arch) == 2)
      n_kernels++;
    else if (sscanf(line, " %d bytes stack frame, %d bytes spill stores, %d bytes spill loads",
                    &stack, &stores, &loads) == 3) {
      const int most_bytes = most_stack(_i % VARIANTS, kernel);
      ck_assert_msg(stack <= most_bytes && (most_bytes > 0 || (stores == 0 && loads == 0)),
                    "%s for %s: %s", kernel, arch, line);
    } else if (used && sscanf(used, "Used %d registers", &registers) == 1) {
      ck_assert_msg(registers <=
                        most_registers(_i % VARIANTS, sources[_i / VARIANTS].solid, kernel),
                    "%s for %s: %d registers, %d at most", kernel, arch, registers,
                    most_registers(_i % VARIANTS, sources[_i / VARIANTS].solid, kernel));
      ck_assert_msg(!strstr(line, "bytes smem"), "%s for %s: %s", kernel, arch, line);
      most = registers > most ? registers : most;
    }
  }
  fclose(report);
  ck_assert_int_ge(n_kernels, sources[_i / VARIANTS].n_kernels);
  fprintf(stderr, "%d kernels, at most %d registers\n", n_kernels, most);
}
END_TEST

/// Whether a line of PTX is an instruction of floating-point numbers that must not be there.
static bool is_atomic_float(const char *line) {
  const char *at = strstr(line, "atom.");
  at = at ? at : strstr(line, "red.");
  return at && (at == line || at[-1] == '\t' || at[-1] == ' ') &&
         (strstr(at, ".f16") || strstr(at, ".f32") || strstr(at, ".f64") || strstr(at, ".bf16"));
}

/// Small kernels that sum in double in any precision: the work of drivers and loads, which goes on
/// adding for many steps, the volume in a surface, whose terms cancel, the momentum of a body in
/// contact, and the fit of a bundle to its members; and what is told of contacts. In contact sweeps
/// of block descent (method 2) put bodies back to their momentum; without, they are core's kernels.
static bool sums_in_double(const char *kernel) {
  const bool centers = strstr(kernel, "contact_bodies") && strstr(kernel, "viper_method2E");
  return centers || strstr(kernel, "end_substep") || strstr(kernel, "add_volume") ||
         strstr(kernel, "contact_in_double") || strstr(kernel, "bundles_in_double") ||
         strstr(kernel, "fit_bundles");
}

/// No floating-point atomics anywhere. No arithmetic in double in kernels of float but these.
START_TEST(kernels_hold_no_atomics_and_no_strange_doubles) {
  FILE *ptx = open_report(_i, "ptx");
  if (!ptx) {
    vb_skip("nvcc", "this build lacks these CUDA kernels, so there is no PTX to look at");
    return;
  }
  char line[65536], kernel[4096] = "";
  int n_kernels = 0, n_doubles = 0, n_floats = 0;
  while (fgets(line, sizeof line, ptx)) {
    if (sscanf(line, ".visible .entry %4095[^(]", kernel) == 1 ||
        sscanf(line, ".entry %4095[^(]", kernel) == 1)
      n_kernels++;
    ck_assert_msg(!is_atomic_float(line), "%s: %s", kernel, line);
    n_floats += strstr(line, ".f32") != NULL;
    if (!strstr(line, ".f64") || strstr(line, ".reg"))
      continue;
    n_doubles++;
    ck_assert_msg(_i % VARIANTS >= DOUBLE || sums_in_double(kernel), "%s: %s", kernel, line);
  }
  fclose(ptx);
  ck_assert_int_ge(n_kernels, sources[_i / VARIANTS].n_kernels);
  ck_assert_int_gt(_i % VARIANTS < DOUBLE ? n_floats : n_doubles, sources[_i / VARIANTS].n_numbers);
}
END_TEST

int main(int argc, char **argv) {
  (void)argc;
  snprintf(program, sizeof program, "%s", argv[0]);
  Suite *suite = suite_create("cuda compile");
  TCase *reports = tcase_create("reports");
  tcase_add_loop_test(reports, kernels_stay_within_their_budget, 0, REPORTS);
  tcase_add_loop_test(reports, kernels_hold_no_atomics_and_no_strange_doubles, 0, REPORTS);
  suite_add_tcase(suite, reports);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
