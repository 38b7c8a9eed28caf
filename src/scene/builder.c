// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/builder.h"

#include "base/arena.h"
#include "base/time_limit.h"
#include "scene/checks.h"
#include "scene/complete.h"
#include "scene/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// A growing array.
typedef struct array {
  char *data;
  size_t count;
  size_t capacity; ///< elements
} array;

struct vb_builder {
  vb_world world;
  array sets[VB_SET_COUNT]; ///< by tag; the world is not among them
  array named;              ///< int32_t: nodes whose components have names
  array names;              ///< vb_body: their names
  array owned;              ///< int32_t: nodes whose joints are all listed
  array curved;             ///< vb_rest_request: rest curvatures
  array rough;              ///< vb_friction_request: friction of bodies and of pairs of them
  array loops;              ///< int32_t: nodes of loops that share their twist
  size_t loaded;            ///< elements of the scene that was loaded, or 0
};

/// Appends one element of `size` bytes.
static vb_status append(array *to, const void *element, size_t size, vb_error *error) {
  if (!vb_grow(&to->data, &to->capacity, to->count + 1, size))
    return vb_error_memory(error);
  memcpy(to->data + to->count++ * size, element, size);
  return VB_OK;
}

vb_status vb_builder_create(vb_builder **out, vb_error *error) {
  vb_builder *builder = calloc(1, sizeof *builder);
  if (!builder)
    return vb_error_memory(error);
  *out = builder;
  return VB_OK;
}

void vb_builder_destroy(vb_builder *builder) {
  if (!builder)
    return;
  for (int tag = 1; tag < VB_SET_COUNT; tag++)
    free(builder->sets[tag].data);
  free(builder->named.data);
  free(builder->names.data);
  free(builder->owned.data);
  free(builder->curved.data);
  free(builder->rough.data);
  free(builder->loops.data);
  free(builder);
}

vb_world *vb_builder_world(vb_builder *builder) {
  return &builder->world;
}

vb_status vb_builder_add(vb_builder *builder, vb_tag tag, const void *element, int32_t *index,
                         vb_error *error) {
  assert(tag > VB_SET_WORLD && tag < VB_SET_COUNT);
  array *set = &builder->sets[tag];
  if (set->count == INT32_MAX)
    return vb_bad_input(error, "more than %d elements in set %s", INT32_MAX, vb_tag_name(tag));
  int32_t at = (int32_t)set->count;
  vb_status status = append(set, element, vb_element_size(tag), error);
  if (status == VB_OK && index)
    *index = at;
  return status;
}

void *vb_builder_elements(vb_builder *builder, vb_tag tag, size_t *count) {
  assert(tag > VB_SET_WORLD && tag < VB_SET_COUNT);
  *count = builder->sets[tag].count;
  return builder->sets[tag].data;
}

/// Elements of all sets, and requests about them.
static size_t count_all(const vb_builder *builder) {
  size_t n = builder->named.count + builder->owned.count + builder->curved.count +
             builder->rough.count + builder->loops.count;
  for (int tag = 1; tag < VB_SET_COUNT; tag++)
    n += builder->sets[tag].count;
  return n;
}

vb_status vb_builder_load(vb_builder *builder, const vb_scene *scene, vb_error *error) {
  assert(count_all(builder) == 0);
  vb_status status = VB_OK;
  builder->world = *vb_scene_world(scene);
  for (int tag = VB_SET_WORLD + 1; tag < VB_SET_COUNT; tag++) {
    size_t n, size = vb_element_size((vb_tag)tag);
    const char *element = vb_scene_set(scene, (vb_tag)tag, &n);
    for (size_t i = 0; !status && i < n; i++)
      status = append(&builder->sets[tag], element + i * size, size, error);
  }
  builder->loaded = count_all(builder);
  return status;
}

/// Whether element `index` of set `tag` exists; `what` was to be done with it.
static vb_status check_element(const vb_builder *builder, vb_tag tag, int32_t index,
                               const char *what, vb_error *error) {
  size_t n = builder->sets[tag].count;
  if (index < 0 || (size_t)index >= n)
    return vb_bad_input(error, "%s: %s %d does not exist; there are %zu %ss so far", what,
                        vb_tag_name(tag), index, n, vb_tag_name(tag));
  return VB_OK;
}

static vb_status check_node(const vb_builder *builder, int32_t node, const char *what,
                            vb_error *error) {
  return check_element(builder, VB_SET_NODE, node, what, error);
}

vb_status vb_builder_name(vb_builder *builder, int32_t node, const char *name, vb_error *error) {
  vb_body body = {0};
  size_t length = strlen(name);
  if (length >= sizeof body.name)
    return vb_bad_input(error, "name \"%.60s\" is too long; %zu letters at most", name,
                        sizeof body.name - 1);
  memcpy(body.name, name, length);
  vb_status status = check_node(builder, node, "name", error);
  if (status == VB_OK)
    status = append(&builder->named, &node, sizeof node, error);
  if (status != VB_OK)
    return status;
  status = append(&builder->names, &body, sizeof body, error);
  if (status != VB_OK)
    builder->named.count--;
  return status;
}

vb_status vb_builder_own_joints(vb_builder *builder, int32_t node, vb_error *error) {
  vb_status status = check_node(builder, node, "joints", error);
  return status == VB_OK ? append(&builder->owned, &node, sizeof node, error) : status;
}

vb_status vb_builder_rest_curvature(vb_builder *builder, const int32_t segment[2], int32_t node,
                                    const double darboux[3], vb_error *error) {
  static const char what[] = "rest curvature";
  vb_rest_request request = {.node = node};
  memcpy(request.segment, segment, sizeof request.segment);
  memcpy(request.darboux, darboux, sizeof request.darboux);
  vb_status status = check_node(builder, node, what, error);
  for (int k = 0; status == VB_OK && k < 2; k++)
    status = check_element(builder, VB_SET_SEGMENT, segment[k], what, error);
  return status == VB_OK ? append(&builder->curved, &request, sizeof request, error) : status;
}

vb_status vb_builder_spread_loop(vb_builder *builder, int32_t node, vb_error *error) {
  vb_status status = check_node(builder, node, "loop", error);
  return status == VB_OK ? append(&builder->loops, &node, sizeof node, error) : status;
}

/// Asks for friction of the bodies of two nodes, or, where the second is -1, of one.
static vb_status add_friction(vb_builder *builder, vb_friction_request request, const char *what,
                              vb_error *error) {
  vb_status status = check_node(builder, request.node[0], what, error);
  if (status == VB_OK && request.node[1] >= 0)
    status = check_node(builder, request.node[1], what, error);
  return status == VB_OK ? append(&builder->rough, &request, sizeof request, error) : status;
}

vb_status vb_builder_friction(vb_builder *builder, int32_t node, double static_friction,
                              double kinetic_friction, vb_error *error) {
  vb_friction_request request = {{node, -1}, static_friction, kinetic_friction};
  return add_friction(builder, request, "friction", error);
}

vb_status vb_builder_friction_pair(vb_builder *builder, const int32_t node[2],
                                   double static_friction, double kinetic_friction,
                                   vb_error *error) {
  static const char what[] = "friction pair";
  vb_friction_request request = {{node[0], node[1]}, static_friction, kinetic_friction};
  vb_status status = check_node(builder, node[1], what, error);
  return status == VB_OK ? add_friction(builder, request, what, error) : status;
}

/// Zeroes what has no meaning, so that equal scenes are equal bytes: what is reserved, and what
/// follows the end of a name.
static void clear_member(const vb_member *member, char *at) {
  size_t used = member->kind == VB_KIND_NAME ? strnlen(at, VB_NAME_SIZE) : 0;
  if (member->kind == VB_KIND_RESERVED)
    memset(at, 0, sizeof(int32_t));
  else if (member->kind == VB_KIND_NAME)
    memset(at + used, 0, VB_NAME_SIZE - used);
}

static void clear_meaningless(vb_builder *builder) {
  for (int tag = VB_SET_BODY; tag < VB_SET_COUNT; tag++) {
    const vb_schema_set *set = &vb_schema[tag];
    char *element = builder->sets[tag].data;
    for (size_t i = 0; i < builder->sets[tag].count; i++, element += set->size)
      for (int m = 0; m < set->n_members; m++)
        clear_member(&set->members[m], element + set->members[m].offset);
  }
}

/// A copy of the elements, without bodies and what was asked for besides.
static vb_status copy_elements(const vb_builder *builder, vb_builder **out, vb_error *error) {
  vb_builder *copy = NULL;
  vb_status status = vb_builder_create(&copy, error);
  if (status != VB_OK)
    return status;
  copy->world = builder->world;
  for (int tag = VB_SET_BODY + 1; tag < VB_SET_COUNT; tag++) {
    const array *from = &builder->sets[tag];
    array *to = &copy->sets[tag];
    size_t size = vb_element_size((vb_tag)tag);
    if (!from->count)
      continue;
    if (!vb_grow(&to->data, &to->capacity, from->count, size)) {
      vb_builder_destroy(copy);
      return vb_error_memory(error);
    }
    memcpy(to->data, from->data, from->count * size);
    to->count = from->count;
  }
  *out = copy;
  return VB_OK;
}

static vb_status pack(const vb_builder *builder, vb_scene **out, vb_error *error) {
  const void *element[VB_SET_COUNT] = {0};
  size_t count[VB_SET_COUNT] = {0};
  for (int tag = 1; tag < VB_SET_COUNT; tag++) {
    element[tag] = builder->sets[tag].data;
    count[tag] = builder->sets[tag].count;
  }
  element[VB_SET_WORLD] = &builder->world;
  count[VB_SET_WORLD] = 1;
  return vb_scene_pack(element, count, out, error);
}

/// Checks the indexes of an incomplete scene, which lacks bodies and joints.
static vb_status check_indexes(const vb_builder *draft, vb_error *error) {
  vb_scene *scene = NULL;
  vb_status status = pack(draft, &scene, error);
  if (status == VB_OK) {
    vb_sets sets = vb_scene_sets(scene);
    status = vb_check_draft_indexes(&sets, error);
  }
  free(scene);
  return status;
}

/// What becomes of a step that may have taken long.
static vb_status look(vb_status status, vb_error *error) {
  return status ? status : vb_time_limit_check(error);
}

/// Adds bodies and joints to `draft`, a copy of the elements of `builder`, and what was asked for
/// of them.
static vb_status complete_graph(const vb_builder *builder, vb_builder *draft, vb_error *error) {
  vb_status status =
      vb_complete_bodies(draft, (const int32_t *)builder->named.data,
                         (const vb_body *)builder->names.data, builder->names.count, error);
  status = look(status, error);
  if (status == VB_OK)
    status = vb_complete_joints(draft, (const int32_t *)builder->owned.data, builder->owned.count,
                                error);
  status = look(status, error);
  if (status == VB_OK)
    status = vb_complete_rest_curvatures(draft, (const vb_rest_request *)builder->curved.data,
                                         builder->curved.count, error);
  if (status == VB_OK)
    status = vb_complete_frictions(draft, (const vb_friction_request *)builder->rough.data,
                                   builder->rough.count, error);
  return look(status, error);
}

/// Completes `draft`, a copy of the elements of `builder`.
static vb_status complete(const vb_builder *builder, vb_builder *draft, vb_error *error) {
  vb_status status = look(check_indexes(draft, error), error);
  if (status == VB_OK)
    status = complete_graph(builder, draft, error);
  if (status != VB_OK)
    return status;
  vb_complete_numbers(draft);
  clear_meaningless(draft);
  status = look(vb_complete_bones(draft, error), error);
  if (status == VB_OK)
    status = vb_complete_frames(draft, (const int32_t *)builder->loops.data, builder->loops.count,
                                error);
  status = look(status, error);
  if (status != VB_OK)
    return status;
  vb_complete_tied_frames(draft);
  return look(vb_complete_order(draft, error), error);
}

vb_status vb_builder_freeze(vb_builder *builder, vb_scene **out, vb_error *error) {
  vb_builder *draft = NULL;
  vb_scene *scene = NULL;
  if (builder->loaded && count_all(builder) != builder->loaded)
    return vb_bad_input(error, "elements were added to a scene that was read from a file");
  vb_status status = builder->loaded ? VB_OK : look(copy_elements(builder, &draft, error), error);
  if (status == VB_OK && draft)
    status = complete(builder, draft, error);
  if (status == VB_OK)
    status = look(pack(draft ? draft : builder, &scene, error), error);
  if (status == VB_OK)
    status = vb_scene_check(scene, vb_scene_bytes(scene), error);
  if (status == VB_OK) {
    *out = scene;
    scene = NULL;
  }
  free(scene);
  vb_builder_destroy(draft);
  return status;
}
