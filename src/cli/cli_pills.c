// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "pills": a bone's surface to capsules, as a file for scripts.
#include "base/clock.h"
#include "base/file.h"
#include "base/output_policy.h"
#include "cli/cli.h"
#include "mesh/capsule_fit.h"
#include "mesh/surface_file.h"
#include "mesh/surface_repair.h"
#include "mesh/tetrahedralize.h"

#include <stdio.h>

typedef struct settings {
  int64_t count;
  const char *output;
  bool repair, force;
} settings;

static const vb_cli_option options[] = {
    {"count", "N", "pills: maximum number of capsules (8)", 4, vb_take_whole, VB_AT(count)},
    {"output", "FILE", "pills: write the capsules to this file (standard output)", 3, vb_take_text,
     VB_AT(output)},
    {"repair", NULL, "pills: merge equal vertices, and drop duplicate and degenerate triangles", 4,
     vb_take_switch, VB_AT(repair)},
    {VB_OPTION_FORCE, VB_AT(force)},
    {0}};

/// Prints a Lua table of capsules {x, y, z, r, x, y, z, r}.
static void print_capsules(FILE *file, const char *path, const vb_capsule_fit *fit) {
  fprintf(file,
          "-- %zu pills, made of %s" VB_MARK_LUA "pills. Meters.\nreturn {\n  hausdorff = %.9g,\n"
          "  pills = {\n",
          fit->n_capsules, path, fit->hausdorff);
  for (size_t p = 0; p < fit->n_capsules; p++) {
    const double *a = fit->ball[fit->capsule[p][0]], *b = fit->ball[fit->capsule[p][1]];
    fprintf(file, "    { %.9g, %.9g, %.9g, %.9g, %.9g, %.9g, %.9g, %.9g },\n", a[0], a[1], a[2],
            a[3], b[0], b[1], b[2], b[3]);
  }
  fprintf(file, "  },\n}\n");
}

/// Writes the file, or to the standard output.
static vb_status write_capsules(const char *output, const char *path, const vb_capsule_fit *fit,
                                vb_error *error) {
  if (!output) {
    print_capsules(stdout, path, fit);
    return VB_OK;
  }
  vb_output out;
  vb_status status = vb_output_begin(output, true, &out, error);
  if (status)
    return status;
  FILE *file = vb_output_stream(&out);
  if (!file)
    return vb_output_end(&out, vb_error_memory(error), error);
  print_capsules(file, path, fit);
  bool bad = ferror(file);
  if (fclose(file) || bad)
    status = vb_error_set(error, VB_CANNOT_WRITE, "%s: cannot be written", output);
  return vb_output_end(&out, status, error);
}

/// Reads a surface, repaired as far as is asked for, and checks that it is one of bones.
static vb_status read_surface(const char *path, bool repair, vb_surface_file *file,
                              vb_error *error) {
  vb_surface_repairs repairs = {0};
  vb_status status = vb_surface_file_read(path, path, file, error);
  if (status)
    return status;
  if (repair)
    status = vb_surface_repair(file, &repairs, error);
  else
    vb_surface_drop_degenerate(file, &repairs);
  if (!status && repairs.joined + repairs.dropped + repairs.doubled > 0)
    fprintf(stderr,
            "%s: merged %zu vertices, and dropped %zu degenerate and %zu duplicate triangles\n",
            path, repairs.joined, repairs.dropped, repairs.doubled);
  const vb_tetrahedralize asked = {.outside = {path, &file->mesh}};
  return status ? status : vb_tetrahedralize_check(&asked, error);
}

/// Says what was made, and why there are fewer pills than were asked for.
static void print_summary(const vb_surface_file *file, const vb_capsule_fit *fit, int64_t count,
                          double seconds) {
  fprintf(stderr,
          "%zu triangles, %zu pills of %zu balls: the Hausdorff distance is %.4g m, the root of "
          "the mean square %.4g m; %.2f s\n",
          file->mesh.n_triangles, fit->n_capsules, fit->n_balls, fit->hausdorff, fit->rms, seconds);
  if (fit->n_capsules == (size_t)count)
    return;
  fprintf(stderr, "%zu pills, not %lld: ", fit->n_capsules, (long long)count);
  if (fit->most > fit->n_capsules)
    fprintf(stderr, "%zu do not fit better, at a distance of %.4g m from the surface\n", fit->most,
            fit->most_hausdorff);
  else
    fprintf(stderr, "more do not improve the fit\n");
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  const char *path = cli->arguments[0];
  double start = vb_clock();
  vb_surface_file file = {0};
  vb_capsule_fit fit = {0};
  if (s->count < 1 || s->count > 10000)
    return vb_bad_input(error, "--count is %lld; pills makes 1 to 10000", (long long)s->count);
  vb_status status = vb_cli_check_output(cli, s->output, s->force, error);
  if (!status)
    status = read_surface(path, s->repair, &file, error);
  if (!status) {
    status = vb_capsule_fit_make(&file.mesh, (size_t)s->count, &fit, error);
    if (status)
      vb_error_prefix(error, "%s", path);
  }
  if (!status)
    status = write_capsules(s->output, path, &fit, error);
  if (!status)
    print_summary(&file, &fit, s->count, vb_clock() - start);
  vb_capsule_fit_clear(&fit);
  vb_surface_file_clear(&file);
  return status;
}

VB_VERB(pills, "MESH", "approximate a bone's mesh by capsules", .least = 1,
        .wants = "a mesh: .obj, .ply or .stl of a closed surface", .options = options,
        VB_SETTINGS(.count = 8),
        .examples = "viperbench pills femur.obj --count 8 --output femur.lua\n");
