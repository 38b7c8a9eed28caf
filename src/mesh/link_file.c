// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/link_file.h"

#include "mesh/mesh_text.h"
#include "scene/rotation.h"

#include <string.h>

static const char *const KINDS[] = {"ball", "hinge", "universal"}; // of vb_link_type

static void read_kind(vb_mesh_text *text, vb_link *link) {
  char word[VB_NAME_SIZE];
  vb_mesh_text_word(text, "kind of the joint", word, sizeof word);
  while (link->type <= VB_LINK_UNIVERSAL && strcmp(word, KINDS[link->type]) != 0)
    link->type++;
  if (link->type > VB_LINK_UNIVERSAL)
    vb_mesh_text_fail(text, "\"%s\" is no kind of joint; write ball, hinge or universal", word);
}

static void read_axis(vb_mesh_text *text, double axis[3]) {
  static const char *const NAMES[] = {"x of the axis", "y of the axis", "z of the axis"};
  static const double zero[3] = {0};
  for (int c = 0; c < 3; c++)
    axis[c] = vb_mesh_text_number(text, NAMES[c]);
  if (vb_direction(zero, axis, axis) <= 0)
    vb_mesh_text_fail(text, "an axis is zero; it must have a direction");
}

static void read_limits(vb_mesh_text *text, double limit[2]) {
  limit[0] = vb_mesh_text_number(text, "least angle");
  limit[1] = vb_mesh_text_number(text, "greatest angle");
  if (limit[0] > limit[1])
    vb_mesh_text_fail(text, "the least angle %g is greater than the other, %g", limit[0], limit[1]);
}

static void read_row(vb_mesh_text *text, vb_link_row *row) {
  static const char *const BONES[] = {"first bone", "second bone"}, *const AXES[] = {"x", "y", "z"};
  vb_link *link = &row->link;
  vb_mesh_text_word(text, "name of the joint", link->name, sizeof link->name);
  read_kind(text, link);
  for (int i = 0; i < 2; i++)
    vb_mesh_text_word(text, BONES[i], row->bone[i], sizeof row->bone[i]);
  if (strcmp(row->bone[0], "world") == 0)
    vb_mesh_text_fail(text, "the first bone is \"world\"; the world comes second");
  if (strcmp(row->bone[0], row->bone[1]) == 0)
    vb_mesh_text_fail(text, "both bones are \"%s\"; a joint is between two", row->bone[0]);
  for (int c = 0; c < 3; c++)
    link->at[c] = vb_mesh_text_number(text, AXES[c]);
  for (int i = 0; i < link->type; i++) // a hinge has one, a universal joint two
    read_axis(text, link->axis[i]);
  if (link->type == VB_LINK_HINGE && *text->at)
    read_limits(text, link->limit);
  if (*text->at && link->type <= VB_LINK_UNIVERSAL)
    vb_mesh_text_fail(text, "\"%.40s\" is too much for a %s", text->at, KINDS[link->type]);
}

vb_status vb_link_file_read(const char *path, const char *shown, vb_link_row *out, size_t *n,
                            vb_error *error) {
  vb_mesh_text text;
  vb_status status = vb_mesh_text_open(path, shown, '#', &text, error);
  if (status)
    return status;
  *n = 0;
  while (!text.status && vb_mesh_text_line(&text)) {
    if (*n == VB_LINK_ROWS) {
      vb_mesh_text_fail(&text, "there are more than %d joints", VB_LINK_ROWS);
      break;
    }
    vb_link_row *row = &out[(*n)++];
    *row = (vb_link_row){.line = text.number, .link.limit = {-INFINITY, INFINITY}};
    read_row(&text, row);
    for (size_t i = 0; i + 1 < *n; i++)
      if (strcmp(out[i].link.name, row->link.name) == 0)
        vb_mesh_text_fail(&text, "there is a joint \"%s\" already, in line %zu", row->link.name,
                          out[i].line);
  }
  if (*n == 0)
    vb_mesh_text_fail(&text, "it has no joint");
  status = text.status;
  vb_mesh_text_close(&text);
  return status;
}
