// SPDX-License-Identifier: GPL-3.0-or-later
/// What a report is made of: texts in markup, bytes as letters, and frames as small numbers.
#include "report/html.h"
#include "report/pack.h"
#include "results_fixture.h"

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
  vb_status status = vb_pack_run(&(vb_pack_plan){{fix.path, NULL}, step}, &pack, &fix.error);
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
  return c;
}

VB_TEST_MAIN("pack", texts(), runs())
