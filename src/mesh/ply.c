// SPDX-License-Identifier: GPL-3.0-or-later
/// PLY files (G. Turk, 1994), text and binary of either byte order: x, y, z of the vertices and the
/// list of vertices of the faces; what else they have is passed over.
#include "mesh/surface_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_PROPERTIES 64
#define MOST_ELEMENTS   16

/// The eight types by their two names, with their sizes.
static const struct {
  const char *name, *other;
  int size;
} types[] = {{"char", "int8", 1},     {"uchar", "uint8", 1},   {"short", "int16", 2},
             {"ushort", "uint16", 2}, {"int", "int32", 4},     {"uint", "uint32", 4},
             {"float", "float32", 4}, {"double", "float64", 8}};

/// A property: a number, or a list of them.
typedef struct property {
  int type;
  int count; ///< type of a list's length, -1 where it is a number
  char name[24];
} property;

typedef struct element {
  char name[24];
  int64_t count;
  property property[MOST_PROPERTIES];
  int n_properties;
} element;

typedef struct reader {
  vb_mesh_text *text;
  int order; ///< 0 text, 1 little-endian, 2 big-endian
  element element[MOST_ELEMENTS];
  int n_elements;
} reader;

static int find_type(reader *r, const char *word) {
  for (int i = 0; i < 8; i++)
    if (strcmp(word, types[i].name) == 0 || strcmp(word, types[i].other) == 0)
      return i;
  vb_mesh_text_fail(r->text, "\"%.20s\" is no type of PLY", word);
  return 0;
}

static void read_property(reader *r, const char *line) {
  char a[24] = "", b[24] = "", c[24] = "";
  element *e = r->n_elements ? &r->element[r->n_elements - 1] : NULL;
  if (!e || e->n_properties == MOST_PROPERTIES) {
    vb_mesh_text_fail(r->text, e ? "too many properties" : "a property before any element");
    return;
  }
  property *p = &e->property[e->n_properties++];
  *p = (property){.count = -1};
  if (sscanf(line, "property list %23s %23s %23s", a, b, c) == 3) {
    p->count = find_type(r, a);
    p->type = find_type(r, b);
    memcpy(p->name, c, sizeof c);
    if (p->count > 5)
      vb_mesh_text_fail(r->text, "the length of a list is of type %s; it should be whole", a);
  } else if (sscanf(line, "property %23s %23s", a, b) == 2) {
    p->type = find_type(r, a);
    memcpy(p->name, b, sizeof b);
  } else
    vb_mesh_text_fail(r->text, "a property should have a type and a name");
}

/// Reads the header; false where it fails.
static bool read_head(reader *r) {
  vb_mesh_text *text = r->text;
  char word[24] = "";
  r->order = -1;
  if (!vb_mesh_text_line(text) || strncmp(text->at, "ply", 3) != 0)
    vb_mesh_text_fail(text, "it should begin with \"ply\"");
  while (!text->status && strcmp(word, "end_header") != 0) {
    vb_mesh_text_need_line(text, "end_header");
    if (text->status || sscanf(text->at, "%23s", word) != 1)
      break;
    if (strcmp(word, "format") == 0) {
      const char *kind = text->at + 6 + strspn(text->at + 6, " ");
      r->order = strncmp(kind, "ascii", 5) == 0                   ? 0
                 : strncmp(kind, "binary_little_endian", 20) == 0 ? 1
                 : strncmp(kind, "binary_big_endian", 17) == 0    ? 2
                                                                  : -1;
    } else if (strcmp(word, "element") == 0 && r->n_elements < MOST_ELEMENTS) {
      element *e = &r->element[r->n_elements++];
      long long count = -1;
      *e = (element){0};
      if (sscanf(text->at, "element %23s %lld", e->name, &count) != 2 || count < 0 ||
          count > vb_mesh_text_left(text))
        vb_mesh_text_fail(text, "an element should have a name and a count that the file can hold");
      e->count = count;
    } else if (strcmp(word, "property") == 0)
      read_property(r, text->at);
  }
  if (!text->status && r->order < 0)
    vb_mesh_text_fail(text, "its format should be ascii, or binary of either byte order");
  return !text->status;
}

/// The next number of the data.
static double next_number(reader *r, int type) {
  vb_mesh_text *text = r->text;
  if (text->status)
    return 0;
  if (r->order == 0) {
    if (!*text->at)
      vb_mesh_text_need_line(text, "another number");
    return vb_mesh_text_number(text, "a number");
  }
  int size = types[type].size;
  unsigned char bytes[8];
  if (text->end - text->next < size) {
    vb_mesh_text_fail(text, "the file ends inside its binary data");
    return 0;
  }
  for (int i = 0; i < size; i++)
    bytes[r->order == 1 ? i : size - 1 - i] = (unsigned char)text->next[i];
  text->next += size;
  uint64_t whole = 0;
  for (int i = size; i-- > 0;)
    whole = whole << 8 | bytes[i];
  if (type >= 6) {
    float single;
    double number;
    memcpy(&single, bytes, sizeof single);
    memcpy(&number, bytes, sizeof number);
    return type == 6 ? (double)single : number;
  }
  uint64_t sign = (uint64_t)1 << (8 * size - 1);
  bool negative = type % 2 == 0 && (whole & sign);
  return negative ? (double)whole - 2.0 * (double)sign : (double)whole;
}

/// Reads a list; of a face's vertices makes triangles.
static void read_list(reader *r, const property *p, bool face, vb_surface_lists *out) {
  double length = next_number(r, p->count);
  int64_t v[3] = {0};
  if (!(length >= 0 && length <= (double)vb_mesh_text_left(r->text) + 1e5 &&
        length == floor(length))) {
    vb_mesh_text_fail(r->text, "a list of %g numbers", length);
    return;
  }
  for (int64_t i = 0; !r->text->status && i < (int64_t)length; i++) {
    double number = next_number(r, p->type);
    if (!face)
      continue;
    if (!(number >= 0 && number <= INT32_MAX && number == floor(number)))
      vb_mesh_text_fail(r->text, "a face has vertex %g", number);
    v[i < 2 ? i : 2] = r->text->status ? 0 : (int64_t)number;
    if (i >= 2) {
      vb_surface_add_triangle(r->text, out, v);
      v[1] = v[2];
    }
  }
}

static void read_element(reader *r, const element *e, vb_surface_lists *out) {
  bool vertices = strcmp(e->name, "vertex") == 0, faces = strcmp(e->name, "face") == 0;
  for (int64_t i = 0; !r->text->status && i < e->count; i++) {
    double x[3] = {NAN, NAN, NAN};
    for (int k = 0; k < e->n_properties; k++) {
      const property *p = &e->property[k];
      if (p->count >= 0) {
        bool corners =
            strcmp(p->name, "vertex_indices") == 0 || strcmp(p->name, "vertex_index") == 0;
        read_list(r, p, faces && corners, out);
        continue;
      }
      double number = next_number(r, p->type);
      if (p->name[0] >= 'x' && p->name[0] <= 'z' && !p->name[1])
        x[p->name[0] - 'x'] = number;
    }
    if (vertices && !(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2])))
      vb_mesh_text_fail(r->text, "vertex %lld has no finite x, y, z", (long long)i);
    if (vertices)
      vb_surface_add_vertex(r->text, out, x);
  }
}

void vb_surface_read_ply(vb_mesh_text *text, vb_surface_lists *out) {
  reader r = {.text = text};
  if (!read_head(&r))
    return;
  if (r.order == 0 && memchr(text->next, '\0', (size_t)(text->end - text->next)))
    vb_mesh_text_fail(text, "is not a text file: it contains a zero byte");
  text->at = text->line + strlen(text->line);
  for (int i = 0; !text->status && i < r.n_elements; i++)
    read_element(&r, &r.element[i], out);
}
