// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/viperize_picture.h"

#include "render/draw.h"
#include "render/image.h"
#include "render/legend.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Pixels of a stage, of its name below, and rays of a pixel.
#define HEIGHT  720
#define LEAST   180
#define MOST    560
#define LETTERS 22
#define STRIP   44
#define SAMPLES 3

/// Radius of the mesh's edges, of its size; of a point, of that of its rod.
#define EDGE  0.0015
#define POINT 0.35

enum { STAGES = 5 };

/// What is drawn of, and how it is turned: rods go up, and the muscle is seen where it is widest.
typedef struct subject {
  const vb_mesh *mesh;
  const vb_muscle_rods *rods;
  double axis[3][3]; ///< right, away, up
  double size;       ///< greatest distance of a vertex from the mesh's first
  double extent[3];  ///< along the axes, m
} subject;

typedef struct stage {
  vb_shapes shapes, clear;
  vb_palette palette;
} stage;

static void turn(const subject *s, const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = vb_dot(s->axis[i], x);
}

/// How far the vertices reach along a direction.
static double extent_along(const vb_mesh *mesh, const double direction[3]) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < mesh->n_vertices; i++) {
    double at = vb_dot(direction, mesh->vertex[i]);
    low = fmin(low, at);
    high = fmax(high, at);
  }
  return high - low;
}

/// Chooses the axes: up from the middle of the first points to that of the last.
static void choose_axes(subject *s) {
  const vb_muscle_rods *r = s->rods;
  double up[3] = {0}, u[3], v[3], best = -1;
  for (int32_t i = 0; i < r->n_rods; i++)
    for (int k = 0; k < 3; k++)
      up[k] += r->point[(i + 1) * r->n_slices - 1][k] - r->point[i * r->n_slices][k];
  double length = sqrt(vb_dot(up, up));
  for (int k = 0; k < 3; k++)
    s->axis[2][k] = length > 0 ? up[k] / length : k == 2;
  double other[3] = {fabs(s->axis[2][0]) > 0.7 ? 0 : 1, fabs(s->axis[2][0]) > 0.7 ? 1 : 0, 0};
  vb_cross(s->axis[2], other, u);
  length = sqrt(vb_dot(u, u));
  for (int k = 0; k < 3; k++)
    u[k] /= length;
  vb_cross(s->axis[2], u, v);
  for (int step = 0; step < 36; step++) {
    double a = acos(-1) * step / 36, right[3];
    for (int k = 0; k < 3; k++)
      right[k] = cos(a) * u[k] + sin(a) * v[k];
    double wide = extent_along(s->mesh, right);
    if (wide > best * (1 + 1e-9)) { // of equal ones the first, whatever the rounding
      best = wide;
      memcpy(s->axis[0], right, sizeof right);
    }
  }
  vb_cross(s->axis[2], s->axis[0], s->axis[1]);
  for (int i = 0; i < 3; i++)
    s->extent[i] = extent_along(s->mesh, s->axis[i]);
  s->size = fmax(s->extent[0], fmax(s->extent[1], s->extent[2]));
}

/// Makes room for a mesh behind what the shapes have, of which there can be one; and for capsules.
static vb_status make_room(vb_shapes *s, size_t vertices, size_t triangles, size_t capsules,
                           vb_error *error) {
  VB_TAKE(&s->memory, s->vertex, vertices);
  VB_TAKE(&s->memory, s->value, vertices);
  VB_TAKE(&s->memory, s->triangle, triangles);
  VB_TAKE(&s->memory, s->capsule, capsules);
  VB_TAKE(&s->memory, s->capsule_value, capsules);
  return vb_arena_status(&s->memory, error);
}

/// Adds triangles with a value at each vertex, or `same` where there are none.
static void add_mesh(const subject *of, const vb_mesh *mesh, const double *value, double same,
                     vb_shapes *s) {
  for (size_t i = 0; i < mesh->n_vertices; i++) {
    turn(of, mesh->vertex[i], s->vertex[s->n_vertices + i]);
    s->value[s->n_vertices + i] = value ? value[i] : same;
  }
  for (size_t t = 0; t < mesh->n_triangles; t++, s->n_triangles++)
    for (int c = 0; c < 3; c++)
      s->triangle[s->n_triangles][c] = mesh->triangle[t][c] + (int32_t)s->n_vertices;
  s->n_vertices += mesh->n_vertices;
}

static void add_capsule(const subject *of, const double a[3], double r_a, const double b[3],
                        double r_b, double value, vb_shapes *s) {
  double x[2][3];
  turn(of, a, x[0]);
  turn(of, b, x[1]);
  s->capsule[s->n_capsules] = vb_capsule_make(x[0], r_a, x[1], r_b);
  s->capsule_value[s->n_capsules][0] = s->capsule_value[s->n_capsules][1] = value;
  s->n_capsules++;
}

/// The muscle's surface as it is seen through.
static vb_status add_hull(const subject *of, vb_shapes *clear, vb_error *error) {
  vb_status status = make_room(clear, of->mesh->n_vertices, of->mesh->n_triangles, 0, error);
  VB_TAKE(&clear->memory, clear->triangle_appearance, of->mesh->n_triangles);
  if (!status)
    status = vb_arena_status(&clear->memory, error);
  if (!status) {
    add_mesh(of, of->mesh, NULL, NAN, clear);
    memset(clear->triangle_appearance, VB_APPEARANCE_GLASS, clear->n_triangles);
  }
  return status;
}

static vb_status make_mesh(const subject *of, stage *out, vb_error *error) {
  const vb_mesh *m = of->mesh;
  vb_status status =
      make_room(&out->shapes, m->n_vertices, m->n_triangles, 3 * m->n_triangles, error);
  out->palette = (vb_palette){VB_DIVERGING, -1, 1};
  if (status)
    return status;
  add_mesh(of, m, NULL, 0, &out->shapes);
  for (size_t t = 0; t < m->n_triangles; t++)
    for (int c = 0; c < 3; c++) {
      int32_t a = m->triangle[t][c], b = m->triangle[t][(c + 1) % 3];
      if (a < b) // the other triangle runs along it the other way
        add_capsule(of, m->vertex[a], EDGE * of->size, m->vertex[b], EDGE * of->size, -1,
                    &out->shapes);
    }
  return VB_OK;
}

static vb_status make_field(const subject *of, stage *out, vb_error *error) {
  const vb_mesh *m = of->mesh;
  vb_status status = make_room(&out->shapes, m->n_vertices, m->n_triangles, 0, error);
  if (!status)
    add_mesh(of, m, of->rods->field, 0, &out->shapes);
  return status;
}

static vb_status make_slices(const subject *of, stage *out, vb_error *error) {
  int32_t n = of->rods->n_slices;
  vb_mesh *slice = calloc((size_t)n, sizeof *slice);
  size_t triangles = 0;
  vb_status status = slice ? VB_OK : vb_error_memory(error);
  for (int32_t j = 0; !status && j < n; j++) {
    status = vb_viperize_slice(of->mesh, of->rods->field, of->rods->level[j], &slice[j], error);
    triangles += slice[j].n_triangles;
  }
  if (!status)
    status = make_room(&out->shapes, 3 * triangles, triangles, 0, error);
  for (int32_t j = 0; !status && j < n; j++)
    add_mesh(of, &slice[j], NULL, of->rods->level[j], &out->shapes);
  for (int32_t j = 0; slice && j < n; j++)
    vb_mesh_clear(&slice[j]);
  free(slice);
  return status ? status : add_hull(of, &out->clear, error);
}

static vb_status make_points(const subject *of, stage *out, vb_error *error) {
  const vb_muscle_rods *r = of->rods;
  vb_status status = make_room(&out->shapes, 0, 0, (size_t)r->n_rods * (size_t)r->n_slices, error);
  out->palette.kind = VB_CATEGORICAL;
  for (int32_t i = 0; !status && i < r->n_rods; i++)
    for (int32_t j = 0; j < r->n_slices; j++) {
      const double *x = r->point[i * r->n_slices + j];
      double radius = POINT * r->radius[i * r->n_slices + j];
      add_capsule(of, x, radius, x, radius, i, &out->shapes);
    }
  return status ? status : add_hull(of, &out->clear, error);
}

static vb_status make_rods(const subject *of, stage *out, vb_error *error) {
  const vb_muscle_rods *r = of->rods;
  vb_status status = make_room(&out->shapes, 0, 0, (size_t)r->n_rods * (size_t)r->n_slices, error);
  out->palette.kind = VB_CATEGORICAL;
  for (int32_t i = 0; !status && i < r->n_rods; i++)
    for (int32_t j = 1; j < r->n_slices; j++) {
      const double *x = r->point[i * r->n_slices + j], *before = x - 3;
      const double *radius = &r->radius[i * r->n_slices + j];
      add_capsule(of, before, radius[-1], x, radius[0], i, &out->shapes);
    }
  return status;
}

/// Draws a stage from the column `x` on.
static vb_status draw(const stage *s, const vb_camera *camera, double size, int width, int x,
                      vb_image *image, vb_error *error) {
  vb_drawing drawing = {.shapes = &s->shapes,
                        .clear = s->clear.n_triangles ? &s->clear : NULL,
                        .camera = *camera,
                        .palette = s->palette,
                        .light = VB_LIGHT_HARD,
                        .radius = size,
                        .line_spacing = size,
                        .width = width,
                        .height = HEIGHT,
                        .samples = SAMPLES};
  float *pixel = reallocarray(NULL, 4 * (size_t)width * HEIGHT, sizeof *pixel);
  if (!pixel)
    return vb_error_memory(error);
  vb_status status = vb_draw(&drawing, pixel, error);
  for (int row = 0; !status && row < HEIGHT; row++)
    for (int column = 0; column < 3 * width; column++)
      image->pixel[3 * (row * image->width + x) + column] =
          (uint8_t)(255 * vb_encode_srgb(pixel[4 * (row * width + column / 3) + column % 3]) + 0.5);
  free(pixel);
  return status;
}

/// Writes the names of the stages, where there is a font.
static void write_names(int width, vb_image *image) {
  static const char *const NAMES[STAGES] = {"mesh", "field", "slices", "points", "rods"};
  vb_font *font;
  vb_error missing;
  if (vb_font_open(LETTERS, &font, &missing))
    return;
  for (int i = 0; i < STAGES; i++)
    vb_font_write(font, image, i * width + (width - vb_font_width(font, NAMES[i])) / 2,
                  HEIGHT + STRIP / 2 + LETTERS / 4, NAMES[i]);
  vb_font_close(font);
}

vb_status vb_viperize_picture(const vb_mesh *mesh, const vb_muscle_rods *rods, const char *path,
                              vb_error *error) {
  static vb_status (*const MAKE[STAGES])(const subject *, stage *, vb_error *) = {
      make_mesh, make_field, make_slices, make_points, make_rods};
  static const vb_view VIEW = {.azimuth = 0, .elevation = 22, .zoom = 1, .lens = 0};
  subject of = {.mesh = mesh, .rods = rods};
  stage stages[STAGES] = {0};
  vb_image image = {0};
  vb_status status = VB_OK;
  choose_axes(&of);
  int width = (int)fmin(fmax(HEIGHT * of.extent[0] / of.extent[2] * 1.2, LEAST), MOST);
  vb_camera_fit fit = vb_camera_fit_begin(&VIEW, (double)width / HEIGHT);
  for (int i = 0; !status && i < STAGES; i++) {
    stages[i].palette = (vb_palette){VB_SEQUENTIAL, 0, 1};
    status = MAKE[i](&of, &stages[i], error);
    if (!status)
      status = vb_shapes_prepare(&stages[i].shapes, error);
    if (!status)
      status = vb_shapes_prepare(&stages[i].clear, error);
    vb_camera_fit_shapes(&fit, &stages[i].shapes);
  }
  vb_camera camera = vb_camera_fit_end(&fit);
  if (!status)
    status = vb_image_create(STAGES * width, HEIGHT + STRIP, &image, error);
  for (int i = 0; !status && i < STAGES; i++)
    status = draw(&stages[i], &camera, of.size, width, i * width, &image, error);
  if (!status) {
    write_names(width, &image);
    status = vb_image_write_png(&image, path, true, "viperbench viperize", error);
  }
  for (int i = 0; i < STAGES; i++) {
    vb_shapes_clear(&stages[i].shapes);
    vb_shapes_clear(&stages[i].clear);
  }
  vb_image_clear(&image);
  return status;
}
