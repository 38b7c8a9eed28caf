// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pack_parts.h"

#include "base/arena.h"
#include "results/results_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MISSING 65535 ///< what is not finite
#define MOST    65534

void vb_pack_rotation(const double q[4], uint16_t out[3]) {
  int greatest = 0, k = 0;
  double size = 0;
  for (int i = 0; i < 4; i++) {
    size += q[i] * q[i];
    if (fabs(q[i]) > fabs(q[greatest]))
      greatest = i;
  }
  double sign = (q[greatest] < 0 ? -1 : 1) / sqrt(size);
  for (int i = 0; i < 4; i++)
    if (i != greatest) {
      double place = 32767 * (sign * q[i] * M_SQRT1_2 + 0.5);
      out[k++] = (uint16_t)lround(fmin(fmax(place, 0), 32767));
    }
  out[0] = (uint16_t)(out[0] | (greatest & 2) << 14);
  out[1] = (uint16_t)(out[1] | (greatest & 1) << 15);
}

/// `n` more bytes of the block; null for want of memory.
static uint8_t *extend(vb_packing *p, size_t n) {
  if (!VB_GROW(p->bytes, p->room, p->used + n))
    return NULL;
  uint8_t *at = p->bytes + p->used;
  p->used += n;
  return at;
}

static void put_words(uint8_t *out, uint32_t word) {
  for (int i = 0; i < 4; i++)
    out[i] = (uint8_t)(word >> 8 * i);
}

static vb_status add_part(vb_packing *p, const char *name, const char *type, size_t at, size_t n,
                          size_t width, json_t *low, json_t *scale, vb_error *error) {
  json_t *part = json_pack("{s:s, s:s, s:I, s:I, s:I}", "name", name, "type", type, "at",
                           (json_int_t)at, "n", (json_int_t)n, "width", (json_int_t)width);
  bool good = part && (!low || json_object_set_new(part, "low", low) == 0) &&
              (!scale || json_object_set_new(part, "scale", scale) == 0) &&
              json_array_append_new(p->parts, part) == 0;
  return good ? VB_OK : vb_error_memory(error);
}

vb_status vb_pack_constant(vb_packing *p, const char *name, const double *values, size_t n,
                           size_t width, bool whole, vb_error *error) {
  size_t at = p->used;
  uint8_t *out = extend(p, 4 * n * width);
  if (!out)
    return vb_error_memory(error);
  for (size_t i = 0; i < n * width; i++) {
    uint32_t word;
    if (whole)
      word = (uint32_t)(int32_t)values[i];
    else
      memcpy(&word, &(float){(float)values[i]}, sizeof word);
    put_words(out + 4 * i, word);
  }
  return add_part(p, name, whole ? "i32" : "f32", at, n, width, NULL, NULL, error);
}

/// A dataset of frames, opened.
typedef struct frames_reading {
  vb_h5 h5;
  vb_h5_dataset dataset;
  size_t n, width;          ///< of what is packed
  double *row;              ///< (n x width) the frame that was read last
  const vb_pack_rule *rule; ///< or null where it is the dataset itself
  double *field;            ///< what that is made of
} frames_reading;

static size_t rows_of(const frames_reading *r) {
  return r->rule ? r->rule->n : r->n;
}

static size_t width_of(const frames_reading *r) {
  return r->rule ? r->rule->width : r->width;
}

/// Opens it; `*there` tells whether it has that shape.
static vb_status open_frames(const vb_packing *p, const char *dataset, frames_reading *r,
                             char path[512], bool *there, vb_error *error) {
  snprintf(path, 512, "%s%s/%s", p->place.run ? "/runs/" : "", p->place.run ? p->place.run : "",
           dataset);
  r->h5 = (vb_h5){p->place.path, VB_BAD_INPUT, error, VB_OK};
  *there = vb_results_open_dataset(&r->h5, path, &r->dataset, NULL, NULL);
  const vb_h5_dataset *d = &r->dataset;
  *there = *there && d->kind == VB_H5_NUMBERS && d->rank == (width_of(r) == 1 ? 2 : 3) &&
           d->extent[0] > p->frame[p->n_frames - 1] && d->extent[1] == rows_of(r) &&
           d->extent[2] == width_of(r);
  if (*there)
    vb_h5_expect(&r->h5, d, VB_H5_NUMBERS, 2, 3);
  if (!*there || r->h5.status)
    return r->h5.status;
  r->row = reallocarray(NULL, r->n * r->width + 1, sizeof *r->row);
  r->field = reallocarray(NULL, rows_of(r) * width_of(r) + 1, sizeof *r->field);
  return r->row && r->field ? VB_OK : vb_error_memory(error);
}

static vb_status read_frame(frames_reading *r, size_t k) {
  vb_h5_block block = {{k, 0, 0}, {1, rows_of(r), width_of(r)}};
  vb_h5_read_numbers(&r->h5, &r->dataset, &block, r->rule ? r->field : r->row);
  if (r->rule && !r->h5.status)
    r->rule->fill(r->rule->data, r->field, r->row);
  return r->h5.status;
}

/// Bounds of all finite numbers, for each component.
static vb_status find_bounds(const vb_packing *p, frames_reading *r, double low[], double scale[]) {
  double high[4];
  for (size_t c = 0; c < r->width; c++) {
    low[c] = INFINITY;
    high[c] = -INFINITY;
  }
  for (size_t f = 0; f < p->n_frames && !r->h5.status; f++) {
    read_frame(r, p->frame[f]);
    for (size_t i = 0; i < r->n * r->width && !r->h5.status; i++)
      if (isfinite(r->row[i])) {
        low[i % r->width] = fmin(low[i % r->width], r->row[i]);
        high[i % r->width] = fmax(high[i % r->width], r->row[i]);
      }
  }
  for (size_t c = 0; c < r->width; c++) {
    bool some = high[c] >= low[c];
    low[c] = some ? low[c] : 0;
    scale[c] = some ? (high[c] - low[c]) / MOST : 0;
  }
  return r->h5.status;
}

static void make_numbers(const frames_reading *r, vb_packed how, const double low[],
                         const double scale[], uint16_t *out) {
  if (how == VB_PACKED_ROTATION) {
    for (size_t i = 0; i < r->n; i++) {
      const double *q = r->row + 4 * i;
      double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
      bool good = isfinite(size) && size > 0;
      vb_pack_rotation(good ? q : (double[4]){1, 0, 0, 0}, out + 3 * i);
    }
    return;
  }
  for (size_t i = 0; i < r->n * r->width; i++) {
    size_t c = i % r->width;
    double place = scale[c] > 0 ? (r->row[i] - low[c]) / scale[c] : 0;
    out[i] = isfinite(r->row[i]) ? (uint16_t)lround(fmin(fmax(place, 0), MOST)) : MISSING;
  }
}

/// Reads, packs and takes differences from frame to frame.
static vb_status put_frames(const vb_packing *p, frames_reading *r, vb_packed how,
                            const double low[], const double scale[], uint8_t *out,
                            vb_error *error) {
  size_t row = r->n * (how == VB_PACKED_ROTATION ? 3 : r->width), total = row * p->n_frames;
  uint16_t *number = calloc(2 * row + 1, sizeof *number);
  if (!number)
    return vb_error_memory(error);
  uint16_t *before = number + row;
  for (size_t f = 0; f < p->n_frames && !r->h5.status; f++) {
    if (read_frame(r, p->frame[f]))
      break;
    make_numbers(r, how, low, scale, number);
    for (size_t i = 0; i < row; i++) {
      uint16_t change = (uint16_t)(number[i] - before[i]);
      out[f * row + i] = (uint8_t)(change >> 8);
      out[total + f * row + i] = (uint8_t)change;
    }
    memcpy(before, number, row * sizeof *number);
  }
  free(number);
  return r->h5.status;
}

static json_t *list_of(const double *values, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, json_real(values[i]));
  return list;
}

static vb_status add_frames(vb_packing *p, const char *name, frames_reading *r, vb_packed how,
                            vb_error *error) {
  double low[4] = {0}, scale[4] = {0};
  bool rotation = how == VB_PACKED_ROTATION;
  size_t at = p->used, width = rotation ? 3 : r->width;
  vb_status status = rotation ? VB_OK : find_bounds(p, r, low, scale);
  uint8_t *out = status ? NULL : extend(p, 2 * p->n_frames * r->n * width);
  if (!status && !out)
    return vb_error_memory(error);
  if (!status)
    status = put_frames(p, r, how, low, scale, out, error);
  if (status)
    return status;
  return add_part(p, name, rotation ? "rotation" : "fixed", at, r->n, width,
                  rotation ? NULL : list_of(low, width), rotation ? NULL : list_of(scale, width),
                  error);
}

static vb_status pack_reading(vb_packing *p, const char *name, const char *dataset,
                              frames_reading *r, vb_packed how, vb_error *error) {
  char path[512];
  bool there = false;
  if (r->n == 0)
    return VB_OK;
  vb_status status = open_frames(p, dataset, r, path, &there, error);
  if (!status && there)
    status = add_frames(p, name, r, how, error);
  vb_h5_release(r->dataset.id);
  free(r->row);
  free(r->field);
  return status;
}

vb_status vb_pack_frames(vb_packing *p, const char *name, const char *dataset, size_t n,
                         size_t width, vb_packed how, vb_error *error) {
  frames_reading r = {.n = n, .width = width};
  return pack_reading(p, name, dataset, &r, how, error);
}

vb_status vb_pack_field(vb_packing *p, const char *name, const char *dataset, size_t n,
                        const vb_pack_rule *rule, vb_error *error) {
  frames_reading r = {.n = n, .width = 1, .rule = rule};
  return pack_reading(p, name, dataset, &r, VB_PACKED_FIXED, error);
}
