// SPDX-License-Identifier: GPL-3.0-or-later
#include "couple.h"

#include "base/components.h"

#include <stdlib.h>

/// Unites bones (0 to n_bones - 1) and nodes (behind) that tetrahedra or links couple.
static void unite_all(const ar_body *b, bool flesh, bool links, int32_t *parent) {
  size_t n;
  int32_t n_bones = (int32_t)b->n_bones;
  const vb_link *link = vb_scene_links(b->scene, &n);
  for (size_t e = 0; e < b->n_elements && flesh; e++)
    for (int k = 0; k < 4; k++) {
      int32_t node = b->element[e].node[k];
      vb_component_join(parent, n_bones + node, n_bones + b->element[e].node[0]);
      if (b->bone_of[node] >= 0)
        vb_component_join(parent, n_bones + node, b->bone_of[node]);
    }
  for (size_t i = 0; i < b->n_links && links; i++)
    if (link[i].bone[0] >= 0 && link[i].bone[1] >= 0)
      vb_component_join(parent, link[i].bone[0], link[i].bone[1]);
}

/// Numbers sets by their first bones, and lists their bones.
static void number_sets(ar_sets *s, size_t n_bones, int32_t *parent) {
  for (size_t k = 0; k < n_bones; k++) {
    int32_t least = vb_component_of(parent, (int32_t)k);
    s->set_of[k] = least == (int32_t)k ? (int32_t)s->n++ : s->set_of[least];
    s->place[k] = (int32_t)s->first[s->set_of[k] + 1]++;
  }
  for (size_t k = 0; k < s->n; k++)
    s->first[k + 1] += s->first[k];
  for (size_t k = 0; k < n_bones; k++)
    s->bone[s->first[s->set_of[k]] + (size_t)s->place[k]] = (int32_t)k;
}

vb_status ar_sets_create(const ar_body *b, bool flesh, bool links, ar_sets *out, vb_error *error) {
  ar_sets s = {0};
  size_t all = b->n_bones + b->n_nodes;
  int32_t *parent = reallocarray(NULL, all + 1, sizeof *parent);
  s.first = calloc(b->n_bones + 2, sizeof *s.first);
  s.bone = calloc(3 * b->n_bones + b->n_nodes + 1, sizeof *s.bone);
  if (!parent || !s.first || !s.bone) {
    free(parent);
    ar_sets_clear(&s);
    return vb_error_memory(error);
  }
  s.set_of = s.bone + b->n_bones;
  s.place = s.set_of + b->n_bones;
  s.set_of_node = s.place + b->n_bones;
  for (size_t i = 0; i < all; i++)
    parent[i] = (int32_t)i;
  unite_all(b, flesh, links, parent);
  number_sets(&s, b->n_bones, parent);
  for (size_t i = 0; i < b->n_nodes; i++) {
    int32_t least = vb_component_of(parent, (int32_t)(b->n_bones + i));
    s.set_of_node[i] = least < (int32_t)b->n_bones ? s.set_of[least] : -1;
  }
  free(parent);
  *out = s;
  return VB_OK;
}

void ar_sets_clear(ar_sets *s) {
  free(s->first);
  free(s->bone);
  *s = (ar_sets){0};
}
