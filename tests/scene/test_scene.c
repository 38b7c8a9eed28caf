// SPDX-License-Identifier: GPL-3.0-or-later
/// The blob: what is packed is found, unsound bytes are refused and never crash.
/// Covers: src/scene/check.c src/scene/check_values.c src/scene/check_order.c src/scene/sets.h
/// Covers: src/base/nearest_word.* src/base/components.h
#include "hostile/scene_defects.h"
#include "scenes/scene_fixture.h"

#include "base/nearest_word.h"

#include <math.h>
#include <stddef.h>

static vb_scene *full_scene(void) {
  return fixture_freeze(fixture_full());
}

static vb_scene *copy_scene(const vb_scene *scene) {
  vb_scene *copy = malloc(vb_scene_bytes(scene));
  ck_assert_ptr_nonnull(copy);
  return memcpy(copy, scene, vb_scene_bytes(scene));
}

START_TEST(pack_and_read_back) {
  const vb_world world = {{0, 0, -9.81}, 0.5, 0.25, 7};
  const vb_node nodes[2] = {{.rest_radius = 1}, {.rest_radius = 2}};
  const vb_pin pin = {VB_AT_NODE, 1, VB_PIN_X, 0};
  const void *element[VB_SET_COUNT] = {
      [VB_SET_WORLD] = &world, [VB_SET_NODE] = nodes, [VB_SET_PIN] = &pin};
  const size_t count[VB_SET_COUNT] = {[VB_SET_WORLD] = 1, [VB_SET_NODE] = 2, [VB_SET_PIN] = 1};
  vb_scene *scene = NULL;
  ck_assert_int_eq(vb_scene_pack(element, count, &scene, NULL), VB_OK);
  ck_assert_mem_eq(vb_scene_world(scene), &world, sizeof world);
  size_t n;
  ck_assert_mem_eq(vb_scene_nodes(scene, &n), nodes, sizeof nodes);
  ck_assert_uint_eq(n, 2);
  ck_assert_mem_eq(vb_scene_pins(scene, &n), &pin, sizeof pin);
  ck_assert_uint_eq(n, 1);
  ck_assert_ptr_null(vb_scene_segments(scene, &n));
  ck_assert_uint_eq(n, 0);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_NODE), 2);
  ck_assert_uint_eq(vb_scene_count(scene, (vb_tag)63), 0);
  free(scene);
}
END_TEST

START_TEST(tags_have_names) {
  ck_assert_str_eq(vb_tag_name(VB_SET_NODE), "node");
  ck_assert_str_eq(vb_tag_name(VB_SET_KEY), "key");
  ck_assert_ptr_null(vb_tag_name((vb_tag)0));
  ck_assert_ptr_null(vb_tag_name(VB_SET_COUNT));
}
END_TEST

START_TEST(pins_take_degrees_of_freedom) {
  vb_scene *scene = full_scene();
  // 8 nodes and 5 segments, less a whole node and a frame.
  ck_assert_int_eq(vb_scene_dofs(scene), 4 * 8 + 3 * 5 - 4 - 3);
  size_t n;
  ((vb_pin *)vb_scene_pins(scene, &n))[0].mask = VB_PIN_X | VB_PIN_SCALE;
  ck_assert_int_eq(vb_scene_dofs(scene), 4 * 8 + 3 * 5 - 2 - 3);
  free(scene);
}
END_TEST

START_TEST(equal_scenes_have_equal_hashes_anywhere) {
  vb_scene *scene = full_scene();
  vb_scene *again = full_scene();
  vb_scene *moved = copy_scene(scene);
  char hex[65], other[65];
  vb_scene_sha256(scene, hex);
  ck_assert_uint_eq(strlen(hex), 64);
  ck_assert_uint_eq(strspn(hex, "0123456789abcdef"), 64);
  vb_scene_sha256(again, other);
  ck_assert_str_eq(hex, other);
  vb_scene_sha256(moved, other);
  ck_assert_str_eq(hex, other);
  ck_assert_int_eq(vb_scene_check(moved, vb_scene_bytes(moved), NULL), VB_OK);
  size_t n;
  ((vb_node *)vb_scene_nodes(moved, &n))[7].velocity[2] = 1e-300;
  vb_scene_sha256(moved, other);
  ck_assert_str_ne(hex, other);
  free(scene);
  free(again);
  free(moved);
}
END_TEST

START_TEST(bytes_without_meaning_do_not_change_the_hash) {
  vb_scene *clean = full_scene();
  vb_builder *builder = fixture_full();
  size_t n;
  vb_node *nodes = vb_builder_elements(builder, VB_SET_NODE, &n);
  nodes[3].reserved = 17;
  nodes[3].body = 99;
  vb_key *keys = vb_builder_elements(builder, VB_SET_KEY, &n);
  keys[2].reserved = -1;
  vb_driver *drivers = vb_builder_elements(builder, VB_SET_DRIVER, &n);
  memcpy(drivers[0].name, "wall\0left over", 15);
  vb_load *loads = vb_builder_elements(builder, VB_SET_LOAD, &n);
  memcpy(loads[1].name, "turn\0left over", 15);
  loads[1].reserved = 5;
  vb_scene *dirty = fixture_freeze(builder);
  ck_assert_uint_eq(vb_scene_bytes(clean), vb_scene_bytes(dirty));
  ck_assert_mem_eq(clean, dirty, vb_scene_bytes(clean));
  free(clean);
  free(dirty);
}
END_TEST

static const defect defects[] = {
    {VB_SET_WORLD, 0, IN(vb_world, step), 'd', 0, "scene: step 0 is not positive"},
    {VB_SET_WORLD, 0, IN(vb_world, step), 'd', NAN, "scene: step nan is not a finite number"},
    {VB_SET_WORLD, 0, IN(vb_world, damping), 'd', -1, "scene: damping -1 is negative"},
    {VB_SET_WORLD, 0, IN(vb_world, gravity[1]), 'd', INFINITY,
     "scene: gravity inf is not a finite"},
    {VB_SET_WORLD, 0, IN(vb_world, n_steps), 'l', -3, "scene: number of steps -3 is negative"},
    {VB_SET_BODY, 1, 0, 'c', 0, "body 1: its name is empty"},
    {VB_SET_BODY, 1, 2, 'c', '/', "body 1: its name should hold no \"/\""},
    {VB_SET_BODY, 1, 2, 'c', '\n', "body 1: its name should hold no \"/\" and no control"},
    {VB_SET_NODE, 4, IN(vb_node, rest_radius), 'd', -0.1, "node 4: radius -0.1 is not positive"},
    {VB_SET_NODE, 3, IN(vb_node, rest_radius), 'd', 0, "node 3 of arm: radius 0 is not positive"},
    {VB_SET_NODE, 3, IN(vb_node, rest_position[1]), 'd', NAN,
     "node 3 of arm: rest position nan is"},
    {VB_SET_NODE, 7, IN(vb_node, position[2]), 'd', NAN, "node 7: position nan is not a finite"},
    {VB_SET_NODE, 7, IN(vb_node, velocity[2]), 'd', INFINITY,
     "node 7: velocity inf is not a finite"},
    {VB_SET_NODE, 7, IN(vb_node, scale_rate), 'd', NAN, "node 7: scale rate nan is not a finite"},
    {VB_SET_NODE, 7, IN(vb_node, scale), 'd', NAN, "node 7: scale nan is not a finite"},
    {VB_SET_NODE, 5, IN(vb_node, scale), 'd', 0.04, "node 5: scale 0.04 is below the minimum 0.05"},
    {VB_SET_NODE, 5, IN(vb_node, body), 'i', 3,
     "node 5: its body 3 does not exist; there are 0 to 2"},
    {VB_SET_NODE, 5, IN(vb_node, body), 'i', 0,
     "node 5: its body is 0; by its elements it should be 1"},
    {VB_SET_NODE, 6, IN(vb_node, rest_position[2]), 'd', 1,
     "segment 4: its nodes 5 and 6 coincide at (0, 5, 1); a segment needs a length"},
    {VB_SET_SEGMENT, 4, IN(vb_segment, node[1]), 'i', 8, "segment 4: its node 8 does not exist"},
    {VB_SET_SEGMENT, 4, IN(vb_segment, node[0]), 'i', -1, "segment 4: its node -1 does not exist"},
    {VB_SET_SEGMENT, 4, IN(vb_segment, node[0]), 'i', 6, "segment 4: both of its nodes are node 6"},
    {VB_SET_SEGMENT, 2, IN(vb_segment, rest_length), 'd', 0,
     "segment 2 of arm: rest length 0 is not"},
    {VB_SET_SEGMENT, 2, IN(vb_segment, rest_length), 'd', 1 + 1e-8,
     "segment 2 of arm: rest length 1.00000001 is not the distance 1 of its nodes'"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, rest_frame[0]), 'd', 0.9,
     "segment 3: rest frame has the norm"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, rest_frame[2]), 'd', NAN,
     "segment 3: rest frame nan is not"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, frame[0]), 'd', 0.9, "segment 3: frame has the norm"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, angular_velocity[0]), 'd', NAN,
     "segment 3: angular velocity"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, density), 'd', 0, "segment 3: density 0 is not positive"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, stiffness[VB_KZ]), 'd', -1, "segment 3: kz -1 is negative"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, stiffness[VB_KV]), 'd', NAN, "segment 3: kv nan is not a"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, frame_inertia[1]), 'd', 0,
     "segment 3: frame inertia 0 is not positive"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, frame_inertia[0]), 'd', 1e9,
     "segment 3: frame inertia (1e+09, "},
    {VB_SET_SEGMENT, 3, IN(vb_segment, young), 'd', -1, "segment 3: Young's modulus -1 is negati"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, young), 'd', 1, "segment 3: Young's modulus and the shear"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, shear), 'd', NAN, "segment 3: shear modulus nan is not a"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, model), 'i', 2,
     "segment 3: material model 2 is none of published and solid (0 to 1)"},
    {VB_SET_SEGMENT, 3, IN(vb_segment, model), 'i', VB_MATERIAL_SOLID,
     "segment 3: the material model solid needs Young's modulus and the shear modulus"},
    {VB_SET_JOINT, 1, IN(vb_joint, node), 'i', 8, "joint 1: its node 8 does not exist"},
    {VB_SET_JOINT, 1, IN(vb_joint, segment[1]), 'i', 5, "joint 1: its segment 5 does not exist"},
    {VB_SET_JOINT, 1, IN(vb_joint, segment[1]), 'i', 1,
     "joint 1: both of its segments are segment 1"},
    {VB_SET_JOINT, 1, IN(vb_joint, segment[1]), 'i', 0,
     "joint 1: its segment 0 does not touch its node 2; both should"},
    {VB_SET_PIN, 0, IN(vb_pin, location), 'i', VB_AT_JOINT, "pin 0: its location 2 is neither"},
    {VB_SET_PIN, 0, IN(vb_pin, index), 'i', 8, "pin 0: its node 8 does not exist"},
    {VB_SET_PIN, 1, IN(vb_pin, index), 'i', 5, "pin 1: its segment 5 does not exist"},
    {VB_SET_PIN, 0, IN(vb_pin, mask), 'i', 0, "pin 0: mask 0 does not fit"},
    {VB_SET_PIN, 0, IN(vb_pin, mask), 'i', VB_PIN_FRAME, "pin 0: mask 16 does not fit"},
    {VB_SET_PIN, 1, IN(vb_pin, mask), 'i', VB_PIN_X, "pin 1: mask 1 does not fit"},
    {VB_SET_PIN, 1, IN(vb_pin, driver), 'i', 2, "pin 1: its driver 2 does not exist"},
    {VB_SET_PIN, 1, IN(vb_pin, driver), 'i', -1, "pin 1: its driver -1 does not exist"},
    {VB_SET_DRIVER, 1, IN(vb_driver, axis[0]), 'd', 0.5, "driver 1: axis has the norm 0.5"},
    {VB_SET_DRIVER, 1, IN(vb_driver, origin[0]), 'd', NAN, "driver 1: origin nan is not a finite"},
    {VB_SET_DRIVER, 1, IN(vb_driver, translation[2]), 'i', 3,
     "driver 1: its curve 3 does not exist"},
    {VB_SET_DRIVER, 1, IN(vb_driver, angle), 'i', -2, "driver 1: its curve -2 does not exist"},
    {VB_SET_LOAD, 0, IN(vb_load, location), 'i', VB_AT_SCENE, "load 0: its location 4 is neither"},
    {VB_SET_LOAD, 0, IN(vb_load, index), 'i', -1, "load 0: its node -1 does not exist"},
    {VB_SET_LOAD, 0, IN(vb_load, force[0]), 'd', NAN, "load 0: force nan is not a finite number"},
    {VB_SET_LOAD, 0, IN(vb_load, scale_force), 'd', NAN, "load 0: scale force nan is not a finite"},
    {VB_SET_LOAD, 0, IN(vb_load, torque[0]), 'd', NAN, "load 0: torque nan is not a finite number"},
    {VB_SET_LOAD, 0, IN(vb_load, torque[0]), 'd', 1, "load 0 (tip): a node takes no torque"},
    {VB_SET_LOAD, 1, IN(vb_load, scale_force), 'd', 1, "load 1 (turn): a segment takes no force"},
    {VB_SET_LOAD, 0, IN(vb_load, amplitude), 'i', 3, "load 0: its curve 3 does not exist"},
    {VB_SET_CURVE, 2, IN(vb_curve, n_keys), 'i', 0, "curve 2: it has 0 keys; at least one"},
    {VB_SET_CURVE, 2, IN(vb_curve, n_keys), 'i', INT32_MAX,
     "curve 2: its keys 5 to 2147483651 do not"},
    {VB_SET_CURVE, 2, IN(vb_curve, first_key), 'i', -1, "curve 2: its keys -1 to -1 do not exist"},
    {VB_SET_KEY, 1, IN(vb_key, time), 'd', 2, "curve 0: its key at 2 s does not come after"},
    {VB_SET_KEY, 1, IN(vb_key, time), 'd', NAN, "key 1: time nan is not a finite number"},
    {VB_SET_KEY, 1, IN(vb_key, value), 'd', INFINITY, "key 1: value inf is not a finite number"},
    {VB_SET_KEY, 1, IN(vb_key, interpolation), 'i', 3, "key 1: interpolation 3 is none of"},
};

START_TEST(every_defect_is_named) {
  vb_scene *scene = full_scene();
  defect_plant(scene, &defects[_i]);
  defect_expect(scene, vb_scene_bytes(scene), defects[_i].message);
}
END_TEST

START_TEST(elements_that_clash_are_refused) {
  size_t n;
  vb_scene *scene = full_scene();
  memset(((vb_body *)vb_scene_bodies(scene, &n))[0].name, 'x', VB_NAME_SIZE);
  defect_expect(scene, vb_scene_bytes(scene), "body 0: its name has no end");

  scene = full_scene();
  strcpy(((vb_driver *)vb_scene_drivers(scene, &n))[1].name, "wall");
  defect_expect(scene, vb_scene_bytes(scene), "two drivers are called \"wall\"");

  scene = full_scene();
  strcpy(((vb_load *)vb_scene_loads(scene, &n))[1].name, "hand");
  defect_expect(scene, vb_scene_bytes(scene), "load 1: a driver is called \"hand\", too");

  scene = full_scene();
  vb_segment *stiff = (vb_segment *)vb_scene_segments(scene, &n) + 2;
  stiff->young = 1;
  stiff->shear = 0.33;
  defect_expect(scene, vb_scene_bytes(scene),
                "segment 2 of arm: its shear modulus is under a third of Young's modulus");

  scene = full_scene();
  vb_joint *joints = (vb_joint *)vb_scene_joints(scene, &n);
  joints[1] = (vb_joint){.segment = {joints[0].segment[1], joints[0].segment[0]}, .node = 1};
  defect_expect(scene, vb_scene_bytes(scene),
                "joint 1: segments 0 and 1 are joined at node 1 by joint 0 already");

  scene = full_scene();
  ((vb_pin *)vb_scene_pins(scene, &n))[1] = (vb_pin){VB_AT_NODE, 0, VB_PIN_X, 1};
  defect_expect(scene, vb_scene_bytes(scene), "pin 1: node 0 has a pin already");

  scene = full_scene();
  vb_segment *segment = (vb_segment *)vb_scene_segments(scene, &n);
  memcpy(segment[3].rest_frame, segment[0].rest_frame, sizeof segment->rest_frame);
  defect_expect(scene, vb_scene_bytes(scene), "segment 3: w of its rest frame is (1, 0, ");

  scene = full_scene();
  segment = (vb_segment *)vb_scene_segments(scene, &n) + 3;
  // A half turn about u: w is along the segment, but points back.
  const double *q = segment->rest_frame;
  memcpy(segment->rest_frame, (double[4]){-q[1], q[0], q[3], -q[2]}, sizeof segment->rest_frame);
  defect_expect(scene, vb_scene_bytes(scene), "segment 3: w of its rest frame is (");
}
END_TEST

START_TEST(invalid_layouts_are_refused) {
  vb_scene *scene = full_scene();
  defect_expect(scene, 10, "scene: 10 bytes are too few; the head alone has 24");
  scene = full_scene();
  scene->magic[0] = 'X';
  defect_expect(scene, vb_scene_bytes(scene), "scene: it does not begin with \"VBSCENE\"");
  scene = full_scene();
  scene->version = 1;
  defect_expect(scene, vb_scene_bytes(scene), "scene: version 1 is not the version 3 known here");
  scene = full_scene();
  defect_expect(scene, vb_scene_bytes(scene) - 8, "scene: it should have ");
  scene = full_scene();
  scene->n_sets = 1u << 31;
  defect_expect(scene, vb_scene_bytes(scene), "scene: a table of 2147483648 sets does not fit");

  static const struct {
    vb_set_entry entry; ///< put in place of the second entry, where a number is not 0
    const char *message;
  } cases[] = {{{.tag = 1}, "scene: set 1 follows set 1"},
               {{.tag = 64}, "scene: set 64 follows set 1"},
               {{.element_size = 56}, "scene: set 2 has elements of 56 bytes; they should have 48"},
               {{.element_size = UINT32_MAX}, "scene: set 2 has elements of 4294967295 bytes"},
               {{.offset = 8}, "scene: set 2 begins at byte 8; it should begin at "},
               {{.count = UINT64_MAX / 48}, "scene: set 2 says it has 384307168202282325 elements"},
               {{.count = 2}, "scene: set 3 begins at byte "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    scene = full_scene();
    vb_set_entry *entry = (vb_set_entry *)(scene + 1) + 1;
    const vb_set_entry *wrong = &cases[i].entry;
    entry->tag = wrong->tag ? wrong->tag : entry->tag;
    entry->element_size = wrong->element_size ? wrong->element_size : entry->element_size;
    entry->offset = wrong->offset ? wrong->offset : entry->offset;
    entry->count = wrong->count ? wrong->count : entry->count;
    defect_expect(scene, vb_scene_bytes(scene), cases[i].message);
  }
}
END_TEST

START_TEST(a_scene_needs_a_world_and_a_node) {
  const vb_world world = {.step = 1};
  const vb_node node = {.rest_radius = 1, .scale = 1};
  const void *element[VB_SET_COUNT] = {[VB_SET_WORLD] = &world, [VB_SET_NODE] = &node};
  size_t count[VB_SET_COUNT] = {[VB_SET_WORLD] = 1};
  vb_scene *scene = NULL;
  ck_assert_int_eq(vb_scene_pack(element, count, &scene, NULL), VB_OK);
  defect_expect(scene, vb_scene_bytes(scene),
                "scene: it has neither node nor bone; at least one is needed");
  count[VB_SET_NODE] = 1;
  ck_assert_int_eq(vb_scene_pack(element, count, &scene, NULL), VB_OK);
  defect_expect(scene, vb_scene_bytes(scene), "node 0: its body 0 does not exist; there is none");
  count[VB_SET_WORLD] = 0;
  ck_assert_int_eq(vb_scene_pack(element, count, &scene, NULL), VB_OK);
  defect_expect(scene, vb_scene_bytes(scene), "scene: it has 0 worlds; one is needed");
}
END_TEST

START_TEST(unknown_sets_are_passed_over) {
  vb_scene *scene = full_scene();
  size_t old = vb_scene_bytes(scene), n = scene->n_sets;
  size_t table = sizeof(vb_scene) + n * sizeof(vb_set_entry);
  // One more entry moves all sets by its size; the unknown set is two elements of 8 bytes at the
  // end.
  size_t bytes = old + sizeof(vb_set_entry) + 16;
  char *wider = calloc(1, bytes);
  memcpy(wider, scene, table);
  memcpy(wider + table + sizeof(vb_set_entry), (char *)scene + table, old - table);
  vb_scene *head = (vb_scene *)wider;
  vb_set_entry *entries = (vb_set_entry *)(head + 1);
  for (size_t i = 0; i < n; i++)
    entries[i].offset += sizeof(vb_set_entry);
  entries[n] = (vb_set_entry){40, 8, 2, old + sizeof(vb_set_entry)};
  head->n_sets++;
  head->bytes = bytes;
  vb_error error = {0};
  ck_assert_msg(vb_scene_check(wider, bytes, &error) == VB_OK, "%s", error.message);
  ck_assert_int_eq(vb_scene_dofs(head), vb_scene_dofs(scene));
  ck_assert_uint_eq(vb_scene_count(head, (vb_tag)40), 2);
  free(wider);
  free(scene);
}
END_TEST

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/// Touches all that a reader of a sound scene would.
static void use_scene(const vb_scene *scene) {
  size_t n;
  double d[3], angle;
  char hex[65];
  const vb_driver *drivers = vb_scene_drivers(scene, &n);
  for (size_t i = 0; i < n; i++)
    for (double t = -1; t < 5; t += 0.25)
      vb_driver_at(scene, &drivers[i], t, d, &angle);
  ck_assert_int_le(vb_scene_dofs(scene), 4 * 8 + 3 * 5);
  vb_scene_sha256(scene, hex);
}

START_TEST(truncated_scenes_are_refused) {
  vb_scene *scene = full_scene();
  for (size_t bytes = 0; bytes < vb_scene_bytes(scene); bytes++) {
    // Of just this size, so that a reader of more is caught by the sanitizer.
    void *part = malloc(bytes + !bytes);
    memcpy(part, scene, bytes);
    vb_error error = {0};
    ck_assert_int_eq(vb_scene_check(part, bytes, &error), VB_BAD_INPUT);
    ck_assert_uint_gt(strlen(error.message), 0);
    if (bytes >= sizeof(vb_scene)) { // a truncated scene that owns up to it
      ((vb_scene *)part)->bytes = bytes;
      ck_assert_int_eq(vb_scene_check(part, bytes, &error), VB_BAD_INPUT);
    }
    free(part);
  }
  free(scene);
}
END_TEST

START_TEST(flipped_bits_are_harmless) {
  vb_scene *scene = full_scene();
  size_t bytes = vb_scene_bytes(scene), valid = 0, invalid = 0;
  size_t head = sizeof(vb_scene) + scene->n_sets * sizeof(vb_set_entry);
  uint64_t random = 88172645463325252u;
  for (int i = 0; i < 20000; i++) {
    vb_scene *flipped = copy_scene(scene);
    // Half of the rounds aim at the head and the table, where layouts go wrong.
    size_t range = i % 2 ? bytes : head;
    for (uint64_t flips = 1 + next_random(&random) % 4; flips > 0; flips--)
      ((unsigned char *)flipped)[next_random(&random) % range] ^=
          (unsigned char)(1u << next_random(&random) % 8);
    vb_error error = {0};
    vb_status status = vb_scene_check(flipped, bytes, &error);
    ck_assert(status == VB_OK || (status == VB_BAD_INPUT && error.message[0]));
    if (status == VB_OK)
      use_scene(flipped);
    valid += status == VB_OK;
    invalid += status != VB_OK;
    free(flipped);
  }
  // Both happen: a velocity may change a bit, a table may not.
  ck_assert_uint_gt(valid, 100);
  ck_assert_uint_gt(invalid, 10000);
  free(scene);
}
END_TEST

START_TEST(nearest_words_are_found) {
  static const char *const known[] = {"radius", "position", NULL, "rest_length", "nu", "E", "xpbd"};
  const size_t n = sizeof known / sizeof *known;
  ck_assert_str_eq(vb_nearest_word("radus", known, n), "radius");      // missing
  ck_assert_str_eq(vb_nearest_word("raadius", known, n), "radius");    // inserted
  ck_assert_str_eq(vb_nearest_word("positoin", known, n), "position"); // swapped, once
  ck_assert_str_eq(vb_nearest_word("mu", known, n), "nu");
  ck_assert_str_eq(vb_nearest_word("XPBD", known, n), "xpbd");
  ck_assert_str_eq(vb_nearest_word("rest_lentgh", known, n), "rest_length");
  ck_assert_ptr_null(vb_nearest_word("gravity", known, n));
  ck_assert_ptr_null(vb_nearest_word("x", known, n));
  ck_assert_ptr_null(vb_nearest_word("", known, n));
  char endless[200];
  memset(endless, 'r', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  ck_assert_ptr_null(vb_nearest_word(endless, known, n));
  ck_assert_ptr_null(vb_nearest_word("radius", known, 0));
}
END_TEST

static TCase *blob_case(void) {
  TCase *c = tcase_create("blob");
  tcase_add_test(c, pack_and_read_back);
  tcase_add_test(c, tags_have_names);
  tcase_add_test(c, pins_take_degrees_of_freedom);
  tcase_add_test(c, equal_scenes_have_equal_hashes_anywhere);
  tcase_add_test(c, bytes_without_meaning_do_not_change_the_hash);
  return c;
}

static TCase *check_case(void) {
  TCase *c = tcase_create("check");
  tcase_add_loop_test(c, every_defect_is_named, 0, sizeof defects / sizeof *defects);
  tcase_add_test(c, elements_that_clash_are_refused);
  tcase_add_test(c, invalid_layouts_are_refused);
  tcase_add_test(c, a_scene_needs_a_world_and_a_node);
  tcase_add_test(c, unknown_sets_are_passed_over);
  tcase_add_test(c, truncated_scenes_are_refused);
  tcase_add_test(c, flipped_bits_are_harmless);
  return c;
}

static TCase *words_case(void) {
  TCase *c = tcase_create("words");
  tcase_add_test(c, nearest_words_are_found);
  return c;
}

VB_TEST_MAIN("scene", blob_case(), check_case(), words_case())
