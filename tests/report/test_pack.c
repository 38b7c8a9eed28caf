// SPDX-License-Identifier: GPL-3.0-or-later
/// What a report is made of: texts in markup, bytes as letters, and frames as small numbers.
/// Covers: src/report/html.*
#include "render/recording.h"
#include "report/html.h"
#include "report/pack.h"
#include "results_fixture.h"
#include "scene/rotation.h"

#include <jansson.h>
#include <zlib.h>

static char written[4096];

/// What a function writes, as a text.
#define WRITTEN(...)                                                                               \
  do {                                                                                             \
    FILE *out = fmemopen(written, sizeof written, "w");                                            \
    __VA_ARGS__;                                                                                   \
    fclose(out);                                                                                   \
  } while (0)

START_TEST(texts_are_no_markup) {
  WRITTEN(vb_html_text(out, "<script>alert('a & \"b\"')</script>\033[31m\xff"));
  ck_assert_str_eq(written,
                   "&lt;script&gt;alert(&#39;a &amp; &quot;b&quot;&#39;)&lt;/script&gt;?[31m?");
  WRITTEN(vb_html_print(out, "<b title=\"%s\">%zu of %zu %% %.3g</b>", "\"><i>", (size_t)3,
                        (size_t)4, 0.5));
  ck_assert_str_eq(written, "<b title=\"&quot;&gt;&lt;i&gt;\">3 of 4 % 0.5</b>");
  WRITTEN(vb_html_json(out, "{\"a\":\"</script><!--&\"}"));
  ck_assert_str_eq(written, "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\"}");
  WRITTEN(vb_html_anchor(out, "a b\"<.1"));
  ck_assert_str_eq(written, "a_b___1");
}
END_TEST

/// The examples of RFC 4648, section 10.
START_TEST(bytes_are_letters) {
  static const char *const EXAMPLES[][2] = {{"", ""},
                                            {"f", "Zg=="},
                                            {"fo", "Zm8="},
                                            {"foo", "Zm9v"},
                                            {"foob", "Zm9vYg=="},
                                            {"fooba", "Zm9vYmE="},
                                            {"foobar", "Zm9vYmFy"}};
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
    WRITTEN(fputs("|", out);
            vb_html_base64(out, (const uint8_t *)EXAMPLES[i][0], strlen(EXAMPLES[i][0])));
    ck_assert_str_eq(written + 1, EXAMPLES[i][1]);
  }
}
END_TEST

/// The rotation of three numbers, as pack.h describes them.
static void unpack_rotation(const uint16_t packed[3], double q[4]) {
  int greatest = (packed[0] >> 15) << 1 | packed[1] >> 15, k = 0;
  double sum = 0;
  for (int i = 0; i < 4; i++)
    if (i != greatest) {
      q[i] = ((packed[k++] & 32767) / 32767.0 - 0.5) * M_SQRT2;
      sum += q[i] * q[i];
    }
  q[greatest] = sqrt(fmax(0, 1 - sum));
}

START_TEST(rotations_keep_their_direction) {
  uint32_t seed = 1;
  for (int n = 0; n < 2000; n++) {
    double q[4], back[4], size = 0, inner = 0;
    uint16_t packed[3];
    for (int i = 0; i < 4; i++) {
      seed = seed * 1664525u + 1013904223u;
      q[i] = n < 4 ? n == i : (double)seed / 0x1p31 - 1;
      size += q[i] * q[i];
    }
    vb_pack_rotation(q, packed);
    unpack_rotation(packed, back);
    for (int i = 0; i < 4; i++)
      inner += q[i] * back[i] / sqrt(size);
    // Three components are off by up to 2^0.5/32767/2 each, the fourth by up to three times as
    // much; the angle between is twice that of the quaternions.
    ck_assert_double_ge(fabs(inner), 1 - 1e-8);
  }
}
END_TEST

/// Part `name` of a pack's facts.
static json_t *part_of(json_t *facts, const char *name) {
  size_t i;
  json_t *part;
  json_array_foreach(json_object_get(facts, "parts"), i, part) {
    if (strcmp(json_string_value(json_object_get(part, "name")), name) == 0)
      return part;
  }
  return NULL;
}

/// The block of a pack; to be freed.
static uint8_t *inflate_all(const vb_pack *pack, json_t *facts) {
  uLongf size = (uLongf)json_integer_value(json_object_get(facts, "bytes"));
  uint8_t *bytes = malloc(size + 1);
  ck_assert_int_eq(uncompress(bytes, &size, pack->bytes, pack->n_bytes), Z_OK);
  ck_assert_int_eq((int)size, (int)json_integer_value(json_object_get(facts, "bytes")));
  return bytes;
}

static void check_positions(const uint8_t *bytes, json_t *part, size_t frames, size_t step) {
  const uint8_t *high = bytes + json_integer_value(json_object_get(part, "at"));
  size_t n = (size_t)json_integer_value(json_object_get(part, "n")), row = 3 * n;
  uint16_t number[256] = {0};
  ck_assert_uint_le(row, 256);
  for (size_t f = 0; f < frames; f++) {
    vb_array recorded;
    int64_t k = (int64_t)(f * step < STEPS / 5 ? f * step : STEPS / 5);
    ck_assert(!vb_results_array(fix.path, "/run/frames/position", k, &recorded, &fix.error));
    ck_assert_uint_eq(recorded.n, n);
    for (size_t i = 0; i < row; i++) {
      double low = json_real_value(json_array_get(json_object_get(part, "low"), i % 3));
      double scale = json_real_value(json_array_get(json_object_get(part, "scale"), i % 3));
      number[i] = (uint16_t)(number[i] + (high[f * row + i] << 8 | high[(frames + f) * row + i]));
      // Rounded to whole numbers, and the scale to nine digits of up to 65534.
      ck_assert_double_le(fabs(low + scale * number[i] - recorded.values[i]), 0.51 * scale + 1e-9);
    }
    vb_array_free(&recorded);
  }
}

/// All frames, and every third with the last.
START_TEST(frames_come_back) {
  size_t step = (size_t)_i;
  vb_pack pack;
  write_run();
  vb_status status = vb_pack_run(&(vb_pack_plan){{fix.path, NULL}, step, 100}, &pack, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  json_t *facts = json_loads(pack.facts, 0, NULL);
  ck_assert_ptr_nonnull(facts);
  ck_assert_uint_eq(pack.n_recorded, STEPS / 5 + 1);
  ck_assert_uint_eq(pack.n_frames, step == 1 ? STEPS / 5 + 1 : 3);
  ck_assert_uint_eq(json_array_size(json_object_get(facts, "time")), pack.n_frames);
  uint8_t *bytes = inflate_all(&pack, facts);
  ck_assert_ptr_nonnull(part_of(facts, "position"));
  check_positions(bytes, part_of(facts, "position"), pack.n_frames, step);
  ck_assert_ptr_nonnull(part_of(facts, "scale"));
  ck_assert_ptr_nonnull(part_of(facts, "frame"));
  ck_assert_ptr_null(part_of(facts, "vertices"));
  free(bytes);
  json_decref(facts);
  vb_pack_free(&pack);
}
END_TEST

/// Replaces the scene by one with a sphere, a half-plane and a load that follow a curve, which
/// rises from 0 to 2 in the time of the run.
static void add_driven(void) {
  const void *element[VB_SET_COUNT];
  size_t count[VB_SET_COUNT];
  vb_scene *scene;
  vb_driver drivers[2];
  vb_load loads[4];
  const vb_key keys[] = {{0, 0, VB_LINEAR, 0}, {0.01 * STEPS, 2, VB_LINEAR, 0}};
  const vb_curve curve = {0, 2};
  const vb_half_plane plane = {.normal = {0, 0, 1}, .offset = -1};
  const vb_plane_driver plane_driver = {0, 1};
  const vb_collider colliders[] = {
      {.name = "ball", .driver = 1, .point = {{3, 4, 5}}, .radius = 1},
      {"pipe", VB_COLLIDER_CYLINDER, 1, -1, 0, {{0, 8, 0}, {0, 8, 1}}, 0.125, 0, 0},
      {"bolt", VB_COLLIDER_CAPSULE, 0, -1, 0, {{0, 0, 9}, {0, 2, 9}}, 0.25, 0, 0}};
  for (int tag = 1; tag < VB_SET_COUNT; tag++)
    element[tag] = vb_scene_set(fix.run.scene, (vb_tag)tag, &count[tag]);
  memcpy(drivers, element[VB_SET_DRIVER], sizeof *drivers);
  memcpy(loads, element[VB_SET_LOAD], 3 * sizeof *loads);
  drivers[1] =
      (vb_driver){.name = "lift", .axis = {0, 0, 1}, .translation = {-1, -1, 0}, .angle = -1};
  loads[3] = (vb_load){.name = "push", .index = 2, .force = {1, 0, 0}, .amplitude = 0};
  const struct {
    vb_tag tag;
    const void *element;
    size_t count;
  } sets[] = {{VB_SET_KEY, keys, 2},          {VB_SET_CURVE, &curve, 1},
              {VB_SET_DRIVER, drivers, 2},    {VB_SET_LOAD, loads, 4},
              {VB_SET_HALF_PLANE, &plane, 1}, {VB_SET_PLANE_DRIVER, &plane_driver, 1},
              {VB_SET_COLLIDER, colliders, 3}};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    element[sets[i].tag] = sets[i].element;
    count[sets[i].tag] = sets[i].count;
  }
  ck_assert(!vb_scene_pack(element, count, &scene, &fix.error));
  vb_status status = vb_scene_check(scene, vb_scene_bytes(scene), &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  free(fix.run.scene);
  fake_destroy(fix.instance);
  fix.run.scene = scene;
  ck_assert(!fake_create(NULL, scene, NULL, 0, &fix.instance, &fix.error));
}

/// A picture of frame `k` has the driven half-plane at offset `offset`.
static void check_drawn(size_t k, double offset) {
  vb_recording r;
  vb_shapes shapes, clear;
  ck_assert(!vb_recording_open((vb_run_location){fix.path, NULL}, true, &r, &fix.error));
  ck_assert(!vb_recording_shapes(&r, k, VB_COLOR_BODY, &shapes, &clear, &fix.error));
  ck_assert_uint_eq(shapes.n_grounds, 1);
  ck_assert_double_eq_tol(shapes.ground[0].offset, offset, 1e-12);
  ck_assert_double_eq_tol(shapes.ground[0].normal[2], 1, 1e-12);
  vb_shapes_clear(&shapes);
  vb_shapes_clear(&clear);
  vb_recording_close(&r);
}

/// Number `i` of a part of floats.
static double float_of(const uint8_t *bytes, json_t *facts, const char *name, size_t i) {
  float number;
  json_t *part = part_of(facts, name);
  ck_assert_msg(part != NULL, "no part %s", name);
  size_t width = (size_t)json_integer_value(json_object_get(part, "width"));
  ck_assert_uint_lt(i, width * (size_t)json_integer_value(json_object_get(part, "n")));
  memcpy(&number, bytes + json_integer_value(json_object_get(part, "at")) + 4 * i, sizeof number);
  return number;
}

static void pack(size_t points, vb_pack *out) {
  vb_status status = vb_pack_run(&(vb_pack_plan){{fix.path, NULL}, 1, points}, out, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
}

START_TEST(what_curves_move_moves) {
  size_t frames = STEPS / 5 + 1;
  double curve[2][3] = {{0, 0, 1}, {2, 3, -0x1p60}}; // one is no int
  vb_pack packed;
  add_driven();
  fix.run.record.reference = curve;
  fix.run.record.n_reference = 2;
  write_run();
  pack(100, &packed);
  json_t *facts = json_loads(packed.facts, 0, NULL);
  uint8_t *bytes = inflate_all(&packed, facts);
  for (size_t f = 0; f < frames; f++) {
    double way = 2.0 * (double)f / (double)(frames - 1);
    const double plane[] = {0, 0, 1, way - 1}, sphere[] = {3, 4, 5 + way};
    check_drawn(f, plane[3]);
    for (size_t i = 0; i < 4; i++)
      ck_assert_double_eq_tol(float_of(bytes, facts, "plane_at", 4 * f + i), plane[i], 1e-6);
    for (size_t i = 0; i < 3; i++)
      ck_assert_double_eq_tol(float_of(bytes, facts, "collider_at", 18 * f + i), sphere[i], 1e-6);
    // Three loads have no curve.
    for (size_t i = 0; i < 4; i++)
      ck_assert_double_eq_tol(float_of(bytes, facts, "load_factor", 4 * f + i), i < 3 ? 1 : way,
                              1e-6);
  }
  for (size_t i = 0; i < 6; i++)
    ck_assert_double_eq(float_of(bytes, facts, "reference", i), curve[i / 3][i % 3]);
  free(bytes);
  json_decref(facts);
  vb_pack_free(&packed);
}
END_TEST

/// The least and greatest coordinate `k` of `n` vertices.
static void expect_extent(double (*vertex)[3], size_t n, int k, double low, double high) {
  double least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    least = fmin(least, vertex[i][k]);
    most = fmax(most, vertex[i][k]);
  }
  ck_assert_double_eq_tol(least, low, 1e-9);
  ck_assert_double_eq_tol(most, high, 1e-9);
}

/// In a picture, too: the last frame's ball and half-plane have risen by 2; a pipe is as long as
/// the bodies are along it in all frames.
START_TEST(colliders_are_seen_where_they_are) {
  vb_recording r;
  vb_shapes s, clear;
  double low = INFINITY, high = -INFINITY;
  add_driven();
  write_run();
  ck_assert(!vb_recording_open((vb_run_location){fix.path, NULL}, false, &r, &fix.error));
  for (size_t k = 0; k < r.time.n; k++) {
    vb_array x;
    ck_assert(!vb_run_array(r.place, "run/frames/position", (int64_t)k, &x, &fix.error));
    for (size_t i = 0; i < x.n; i++) {
      low = fmin(low, x.values[3 * i + 2]);
      high = fmax(high, x.values[3 * i + 2]);
    }
    vb_array_free(&x);
  }
  vb_status status = vb_recording_shapes(&r, r.time.n - 1, VB_COLOR_BODY, &s, &clear, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  ck_assert_double_eq_tol(s.ground[0].offset, 1, 1e-12);
  size_t n = clear.n_vertices / 3;
  ck_assert_uint_gt(n, 0);
  for (size_t i = 0; i < n; i++)
    ck_assert_double_eq_tol(vb_distance(clear.vertex[i], (double[3]){3, 4, 7}), 1, 1e-12);
  expect_extent(clear.vertex + n, n, 1, 7.875, 8.125);
  expect_extent(clear.vertex + n, n, 2, low, high);
  expect_extent(clear.vertex + 2 * n, n, 1, -0.25, 2.25);
  expect_extent(clear.vertex + 2 * n, n, 2, 8.75, 9.25);
  for (size_t i = 0; i < clear.n_triangles; i++)
    for (int c = 0; c < 3; c++) // each of one collider
      ck_assert_uint_eq((size_t)clear.triangle[i][c] / n, i / (clear.n_triangles / 3));
  vb_shapes_clear(&clear);
  vb_shapes_clear(&s);
  vb_recording_close(&r);
}
END_TEST

/// Writes `value` over the first number of a dataset.
static void damage(const char *dataset, double value) {
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(set);
  const hsize_t first[2] = {0, 0}, one[2] = {1, 1};
  hid_t memory = H5Screate_simple(1, one, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, one, NULL);
  ck_assert(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value) >= 0);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
}

/// Indexes of drivers and curves that lead nowhere, and keys that run backward.
START_TEST(invalid_drivers_are_refused) {
  static const struct {
    const char *dataset;
    double value;
    const char *words;
  } DAMAGES[] = {{"/topology/half_plane_driver", 7, "its drivers, curves or colliders are invalid"},
                 {"/topology/load_amplitude", 1, "its drivers, curves or colliders are invalid"},
                 {"/topology/curve", 1, "curve 0"},
                 {"/topology/key_time", 9, "key"},
                 {"/topology/driver_axis", 3, "driver 0"}};
  vb_pack packed;
  add_driven();
  write_run();
  damage(DAMAGES[_i].dataset, DAMAGES[_i].value);
  ck_assert_int_eq(vb_pack_run(&(vb_pack_plan){{fix.path, NULL}, 1, 100}, &packed, &fix.error),
                   VB_BAD_INPUT);
  ck_assert_msg(strstr(fix.error.message, DAMAGES[_i].words) != NULL, "%s", fix.error.message);
}
END_TEST

/// Series of 21 rows, whole and in 5 points.
START_TEST(series_are_thinned_evenly) {
  for (size_t points = 5; points <= 100; points += 95) {
    vb_pack packed;
    size_t i, kept = points < STEPS + 1 ? points : STEPS + 1, seen = 0;
    json_t *series;
    if (points == 5)
      write_run();
    pack(points, &packed);
    json_t *facts = json_loads(packed.facts, 0, NULL);
    uint8_t *bytes = inflate_all(&packed, facts);
    json_array_foreach(json_object_get(facts, "series"), i, series) {
      const char *x = json_string_value(json_object_get(series, "x"));
      const char *y = json_string_value(json_object_get(series, "y"));
      ck_assert_int_eq(json_integer_value(json_object_get(part_of(facts, y), "n")), (int)kept);
      for (size_t k = 0; k < kept; k++)
        ck_assert_double_eq_tol(float_of(bytes, facts, x, k),
                                0.01 * STEPS * (double)k / (double)(kept - 1), 1e-6);
      seen++;
    }
    ck_assert_uint_ge(seen, 3);
    free(bytes);
    json_decref(facts);
    vb_pack_free(&packed);
  }
}
END_TEST

/// The fake solver moves its nodes: lengths in double precision, but for 16 bits over their range.
START_TEST(stretch_is_that_of_exact_positions) {
  vb_pack packed;
  vb_array x, rest, segment;
  write_run();
  pack(100, &packed);
  json_t *facts = json_loads(packed.facts, 0, NULL), *part = part_of(facts, "stretch");
  uint8_t *bytes = inflate_all(&packed, facts);
  ck_assert(!vb_results_array(fix.path, "/run/frames/position", 0, &x, &fix.error));
  ck_assert(!vb_results_array(fix.path, "/topology/rest_length", VB_NO_FRAME, &rest, &fix.error));
  ck_assert(!vb_results_array(fix.path, "/topology/segment", VB_NO_FRAME, &segment, &fix.error));
  const uint8_t *high = bytes + json_integer_value(json_object_get(part, "at"));
  double low = json_real_value(json_array_get(json_object_get(part, "low"), 0));
  double scale = json_real_value(json_array_get(json_object_get(part, "scale"), 0));
  for (size_t j = 0; j < segment.n; j++) {
    const double *a = x.values + 3 * (size_t)segment.values[2 * j];
    const double *b = x.values + 3 * (size_t)segment.values[2 * j + 1];
    double length = sqrt(pow(b[0] - a[0], 2) + pow(b[1] - a[1], 2) + pow(b[2] - a[2], 2));
    size_t total = segment.n * packed.n_frames;
    double found = low + scale * (high[j] << 8 | high[total + j]);
    ck_assert_double_eq_tol(found, length / rest.values[j] - 1, 0.51 * scale + 1e-9);
  }
  vb_array_free(&segment);
  vb_array_free(&rest);
  vb_array_free(&x);
  free(bytes);
  json_decref(facts);
  vb_pack_free(&packed);
}
END_TEST

static TCase *texts(void) {
  TCase *c = tcase_create("texts");
  tcase_add_test(c, texts_are_no_markup);
  tcase_add_test(c, bytes_are_letters);
  tcase_add_test(c, rotations_keep_their_direction);
  return c;
}

static TCase *runs(void) {
  TCase *c = tcase_create("runs");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_loop_test(c, frames_come_back, 1, 2);
  tcase_add_loop_test(c, frames_come_back, 3, 4);
  tcase_add_test(c, what_curves_move_moves);
  tcase_add_test(c, colliders_are_seen_where_they_are);
  tcase_add_loop_test(c, invalid_drivers_are_refused, 0, 5);
  tcase_add_test(c, series_are_thinned_evenly);
  tcase_add_test(c, stretch_is_that_of_exact_positions);
  return c;
}

VB_TEST_MAIN("pack", texts(), runs())
