// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "viperize": a muscle's mesh to rods, as a file for scripts.
#include "base/clock.h"
#include "base/file.h"
#include "base/output_policy.h"
#include "cli/cli.h"
#include "cli/viperize_picture.h"
#include "mesh/surface_file.h"
#include "mesh/surface_repair.h"
#include "mesh/tetrahedralize.h"
#include "muscle/viperize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/// Tetrahedra that a surface is filled with, about, where no size is asked for.
#define USUAL_TETRAHEDRA 12000

/// The share of the volume without rods that is warned of: corners at the ends have less.
#define MOST_EMPTY 0.02

typedef struct settings {
  const char *source, *sink, *output, *picture;
  int64_t rods, slices;
  bool force;
} settings;

static const vb_cli_option options[] = {
    {"source", "PLACE",
     "viperize: where rods begin: a group, sphere:x,y,z,r or box:x,y,z,x,y,z, or several: a;b", 3,
     vb_take_text, VB_AT(source)},
    {"sink", "PLACE", "viperize: where rods end, likewise", 3, vb_take_text, VB_AT(sink)},
    {"rods", "K", "viperize: number of rods (16)", 3, vb_take_whole, VB_AT(rods)},
    {"slices", "M", "viperize: number of points per rod (24)", 3, vb_take_whole, VB_AT(slices)},
    {"output", "FILE", "viperize: write the rods to this file (standard output)", 3, vb_take_text,
     VB_AT(output)},
    {"picture", "FILE.png", "viperize: picture of the mesh, field, slices, points and rods", 3,
     vb_take_text, VB_AT(picture)},
    {VB_OPTION_FORCE, VB_AT(force)},
    {0}};

/// Reads `n` numbers between commas.
static bool read_numbers(const char *text, int n, double *out) {
  for (int i = 0; i < n; i++) {
    char *end;
    out[i] = strtod(text, &end);
    if (end == text || !isfinite(out[i]) || *end != (i + 1 < n ? ',' : '\0'))
      return false;
    text = end + 1;
  }
  return true;
}

/// Marks the vertices in a sphere or a box.
static vb_status mark_shape(const vb_mesh *mesh, const char *place, bool *out, vb_error *error) {
  double v[6];
  bool sphere = strncmp(place, "sphere:", 7) == 0;
  if (!read_numbers(strchr(place, ':') + 1, sphere ? 4 : 6, v))
    return vb_bad_input(error, "the place \"%.100s\" should be %s", place,
                        sphere ? "sphere:x,y,z,r" : "box:x,y,z,x,y,z, two opposite corners");
  for (size_t i = 0; i < mesh->n_vertices; i++) {
    double square = 0;
    out[i] = true;
    for (int k = 0; k < 3; k++) {
      double x = mesh->vertex[i][k];
      square += (x - v[k]) * (x - v[k]);
      out[i] = out[i] && (sphere || (x >= fmin(v[k], v[k + 3]) && x <= fmax(v[k], v[k + 3])));
    }
    if (sphere)
      out[i] = square <= v[3] * v[3];
  }
  return VB_OK;
}

/// Marks the vertices of a group of the surface's file. Meshing keeps its vertices, not their
/// order.
static vb_status mark_group(const vb_mesh *mesh, const vb_surface_file *file, const char *group,
                            bool *out, vb_error *error) {
  size_t g = 0;
  while (g < file->n_groups && strcmp(file->name[g], group) != 0)
    g++;
  if (g == file->n_groups)
    return vb_bad_input(error,
                        "the mesh has no group \"%.60s\"; a place is a group of an OBJ file, "
                        "sphere:x,y,z,r or box:x,y,z,x,y,z",
                        group);
  bool *in_group = calloc(file->mesh.n_vertices + 1, sizeof *in_group);
  if (!in_group)
    return vb_error_memory(error);
  for (size_t t = 0; t < file->mesh.n_triangles; t++)
    for (int c = 0; file->group[t] == (int32_t)g && c < 3; c++)
      in_group[file->mesh.triangle[t][c]] = true;
  for (size_t v = 0; v < file->mesh.n_vertices; v++)
    for (size_t i = 0; in_group[v] && i < mesh->n_vertices; i++)
      if (memcmp(file->mesh.vertex[v], mesh->vertex[i], sizeof *mesh->vertex) == 0)
        out[i] = true;
  free(in_group);
  return VB_OK;
}

static vb_status mark_one(const vb_mesh *mesh, const vb_surface_file *file, const char *place,
                          bool *out, vb_error *error) {
  bool shape = strncmp(place, "sphere:", 7) == 0 || strncmp(place, "box:", 4) == 0;
  return shape ? mark_shape(mesh, place, out, error) : mark_group(mesh, file, place, out, error);
}

/// Marks the vertices of all places between semicolons. Each must have some: a place is a head's.
static vb_status mark(const vb_mesh *mesh, const vb_surface_file *file, const char *places,
                      bool *out, vb_error *error) {
  char *copy = strdup(places), *rest = copy;
  bool *one = calloc(mesh->n_vertices + 1, sizeof *one);
  vb_status status = copy && one ? VB_OK : vb_error_memory(error);
  while (!status && rest) {
    const char *place = strsep(&rest, ";");
    bool any = false;
    memset(one, 0, mesh->n_vertices * sizeof *one);
    status = mark_one(mesh, file, place, one, error);
    for (size_t i = 0; !status && i < mesh->n_vertices; i++) {
      any = any || one[i];
      out[i] = out[i] || one[i];
    }
    if (!status && !any && strchr(places, ';'))
      status = vb_bad_input(error, "the place \"%.100s\" has no vertices of the mesh", place);
  }
  free(copy);
  free(one);
  return status;
}

static bool ends_in(const char *text, const char *ending) {
  size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcasecmp(text + n - m, ending) == 0;
}

/// Reads tetrahedra, or a surface, which is filled with them.
static vb_status read_mesh(const char *path, vb_surface_file *file, vb_mesh *mesh,
                           vb_error *error) {
  if (ends_in(path, ".msh") || ends_in(path, ".node") || ends_in(path, ".ele"))
    return vb_mesh_read(path, path, mesh, error);
  vb_status status = vb_surface_file_read(path, path, file, error);
  if (status)
    return status;
  vb_surface_repairs repairs = {0};
  vb_surface_drop_degenerate(file, &repairs);
  double volume = 0;
  for (size_t t = 0; t < file->mesh.n_triangles; t++) {
    const double *a = file->mesh.vertex[file->mesh.triangle[t][0]];
    const double *b = file->mesh.vertex[file->mesh.triangle[t][1]];
    const double *c = file->mesh.vertex[file->mesh.triangle[t][2]];
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      volume += a[k] * (b[i] * c[j] - b[j] * c[i]) / 6;
    }
  }
  vb_tetrahedralize asked = {.outside = {path, &file->mesh},
                             .size = cbrt(fabs(volume) / USUAL_TETRAHEDRA * 6 * sqrt(2)),
                             .quality = 1.6,
                             .keep_surface = true};
  int32_t n_regions;
  return vb_tetrahedralize_run(&asked, mesh, &n_regions, error);
}

static void print_triangles(FILE *file, const vb_mesh *mesh) {
  fprintf(file, "  vertices = {\n");
  for (size_t i = 0; i < mesh->n_vertices; i++)
    fprintf(file, "    { %.9g, %.9g, %.9g },\n", mesh->vertex[i][0], mesh->vertex[i][1],
            mesh->vertex[i][2]);
  fprintf(file, "  },\n  triangles = {\n");
  for (size_t t = 0; t < mesh->n_triangles; t++)
    fprintf(file, "    { %d, %d, %d },\n", mesh->triangle[t][0], mesh->triangle[t][1],
            mesh->triangle[t][2]);
  fprintf(file, "  },\n");
}

/// Prints the parts that rods are in, from 1 on: a line for each slice.
static void print_parts(FILE *file, const vb_muscle_rods *rods) {
  fprintf(file, "  parts = {\n");
  for (int32_t j = 0; j < rods->n_slices; j++) {
    fprintf(file, "    {");
    for (int32_t i = 0; i < rods->n_rods; i++)
      fprintf(file, "%s %d", i ? "," : "", rods->part[i * rods->n_slices + j] + 1);
    fprintf(file, " },\n");
  }
  fprintf(file, "  },\n");
}

/// Prints a Lua table: rods of points {x, y, z, radius}, and the surface.
static void print_rods(FILE *file, const char *path, const vb_muscle_rods *rods,
                       const vb_mesh *surface) {
  fprintf(file, "-- %d rods of %d points, made of %s" VB_MARK_LUA "viperize. Meters.\nreturn {\n",
          rods->n_rods, rods->n_slices, path);
  fprintf(file, "  volume = %.9g,\n  rods = {\n", rods->volume);
  for (int32_t i = 0; i < rods->n_rods; i++) {
    fprintf(file, "    {\n");
    for (int32_t j = 0; j < rods->n_slices; j++) {
      int32_t at = i * rods->n_slices + j;
      const double *x = rods->point[at];
      fprintf(file, "      { %.9g, %.9g, %.9g, %.9g },\n", x[0], x[1], x[2], rods->radius[at]);
    }
    fprintf(file, "    },\n");
  }
  fprintf(file, "  },\n");
  if (rods->n_parts > 1)
    print_parts(file, rods);
  print_triangles(file, surface);
  fprintf(file, "}\n");
}

/// Writes the file, or to the standard output.
static vb_status write_rods(const settings *s, const char *path, const vb_muscle_rods *rods,
                            const vb_mesh *surface, vb_error *error) {
  if (!s->output) {
    print_rods(stdout, path, rods, surface);
    return VB_OK;
  }
  vb_output output;
  vb_status status = vb_output_begin(s->output, true, &output, error);
  if (status)
    return status;
  FILE *file = vb_output_stream(&output);
  if (!file)
    return vb_output_end(&output, vb_error_memory(error), error);
  print_rods(file, path, rods, surface);
  bool bad = ferror(file);
  if (fclose(file) || bad)
    status = vb_error_set(error, VB_CANNOT_WRITE, "%s: cannot be written", s->output);
  return vb_output_end(&output, status, error);
}

/// Says what was made, and warns of volume without rods.
static void print_summary(const vb_mesh *mesh, const vb_muscle_rods *rods, double seconds) {
  fprintf(stderr,
          "%zu tetrahedra, %d rods of %d points: length %.6g m, volume %.6g m^3; distances of "
          "neighbors within %.1f %% of their mean; %.2f s\n",
          mesh->n_tetrahedra, rods->n_rods, rods->n_slices, rods->length, rods->volume,
          100 * rods->spread, seconds);
  if (rods->empty > MOST_EMPTY)
    fprintf(stderr,
            "warning: no rod fills %.1f %% of the muscle's volume, around (%.4g, %.4g, %.4g): a "
            "head without a source or a sink, or too few slices or rods\n",
            100 * rods->empty, rods->hole[0], rods->hole[1], rods->hole[2]);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  const char *path = cli->arguments[0];
  double start = vb_clock();
  vb_surface_file file = {0};
  vb_mesh mesh = {0};
  vb_muscle_rods rods = {0};
  bool *ends = NULL;
  if (!s->source || !s->sink)
    return vb_bad_input(error, "viperize needs --source and --sink: where rods begin and end");
  if (s->rods < 1 || s->rods > 2000 || s->slices < 2 || s->slices > 2000)
    return vb_bad_input(error, "viperize takes 1 to 2000 rods and 2 to 2000 slices");
  vb_status status = vb_cli_check_output(cli, s->output, s->force, error);
  if (!status)
    status = vb_cli_check_output(cli, s->picture, s->force, error);
  if (!status)
    status = read_mesh(path, &file, &mesh, error);
  if (!status && !(ends = calloc(2 * mesh.n_vertices, sizeof *ends)))
    status = vb_error_memory(error);
  bool *sink = ends ? ends + mesh.n_vertices : NULL;
  if (!status)
    status = mark(&mesh, &file, s->source, ends, error);
  if (!status)
    status = mark(&mesh, &file, s->sink, sink, error);
  vb_viperize asked = {&mesh, ends, sink, (int32_t)s->rods, (int32_t)s->slices, 0};
  if (!status)
    status = vb_viperize_run(&asked, &rods, error);
  if (!status)
    status = write_rods(s, path, &rods, file.mesh.n_triangles ? &file.mesh : &mesh, error);
  if (!status && s->picture)
    status = vb_viperize_picture(&mesh, &rods, s->picture, error);
  if (!status)
    print_summary(&mesh, &rods, vb_clock() - start);
  vb_muscle_rods_clear(&rods);
  vb_mesh_clear(&mesh);
  vb_surface_file_clear(&file);
  free(ends);
  return status;
}

VB_VERB(viperize, "MESH", "fill a muscle's mesh with rods", .least = 1,
        .wants = "a mesh: .obj, .ply or .stl of a closed surface, .msh or .node of tetrahedra",
        .options = options, VB_SETTINGS(.rods = 16, .slices = 24),
        .examples = "viperbench viperize biceps.obj --source proximal --sink distal "
                    "--picture biceps.png\n");
