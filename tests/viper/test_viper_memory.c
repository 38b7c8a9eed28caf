// SPDX-License-Identifier: GPL-3.0-or-later
/// Memory that an instance takes for each node: rods side by side, and one long one.
/// Covers: src/viper/cpu/*/memory_lanes.c src/viper/viper.c
#include "handle.h"
#include "scenes/scenes.h"

#include <malloc.h>

/// Bytes that the program has allocated.
static double allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)info.uordblks + (double)info.hblkhd;
}

/// `bodies` bars of `segments` segments.
static vb_scene *bars(int bodies, int segments) {
  vb_builder *b = scenes_begin(1.0 / 60, 10);
  for (int k = 0; k < bodies; k++)
    scenes_bar(b, segments, segments / 32.0, 0.02, &scenes_rubber);
  return fixture_freeze(b);
}

static double bytes_per_node(const vb_scene *scene, const char *method) {
  double before = allocated();
  handle s = handle_open(scene, "method", method, "precision", "float", "backend", "cpu", NULL);
  handle_try(&s, 1);
  double bytes = allocated() - before;
  handle_close(&s);
  return bytes / (double)vb_scene_count(scene, VB_SET_NODE);
}

static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};

START_TEST(an_instance_takes_a_kilobyte_for_a_node) {
#ifdef __SANITIZE_ADDRESS__
  vb_skip("memory of an instance", "the address sanitizer allocates in its own way");
#else
  vb_scene *many = bars(400, 32), *one = bars(1, 10000);
  double bytes = bytes_per_node(many, methods[_i]), alone = bytes_per_node(one, methods[_i]);
  printf("%s: %.0f bytes a node side by side, %.0f in one rod\n", methods[_i], bytes, alone);
  ck_assert_double_gt(bytes, 100); // of the state alone there is more
  // A kilobyte, 24 bytes of rest data that only the material model solid has, and 24 of moments of
  // inertia; in the tiles of block descent, 22 products of stiffnesses and lengths.
  const double most = 1024 + 24 + 24;
  const double products = strcmp(methods[_i], "block-descent") == 0 ? 22 * sizeof(float) : 0;
  ck_assert_double_le(bytes, most);
  ck_assert_double_le(alone, most + products);
  free(many);
  free(one);
#endif
}
END_TEST

static TCase *memory(void) {
  TCase *tcase = tcase_create("memory");
  tcase_add_loop_test(tcase, an_instance_takes_a_kilobyte_for_a_node, 0, 4);
  return tcase;
}

VB_TEST_MAIN("viper memory", memory())
