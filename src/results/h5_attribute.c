// SPDX-License-Identifier: GPL-3.0-or-later
/// Attributes.
#include "results/h5_read_internal.h"

#include "results/h5_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Bytes that a header has room for.
#define MOST_FIXED ((size_t)65536)

/// Opens an attribute that is one value; negative where there is none.
static hid_t open_attribute(hid_t object, const char *name) {
  if (H5Aexists(object, name) <= 0)
    return -1;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), space = H5Aget_space(attribute);
  bool one = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  vb_h5_release(space);
  if (one)
    return attribute;
  vb_h5_release(attribute);
  return -1;
}

/// Reads a text of any length.
static bool read_variable(hid_t attribute, char *out, size_t size) {
  char *text = NULL;
  hid_t type = H5Tcopy(H5T_C_S1);
  bool good = H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
              H5Aread(attribute, type, &text) >= 0 && text;
  if (good)
    snprintf(out, size, "%s", text);
  if (text)
    H5free_memory(text);
  vb_h5_release(type);
  return good;
}

/// Attributes that have the length of their text: the first two since schema 2.3, the key of gates
/// since 2.5.
static bool is_label(const char *name) {
  return strcmp(name, "units") == 0 || strcmp(name, "long_name") == 0 ||
         strcmp(name, "gates_key") == 0;
}

/// Reads a text of the length of its type.
static bool read_fixed(hid_t attribute, hid_t stored, char *out, size_t size) {
  size_t length = H5Tget_class(stored) == H5T_STRING ? H5Tget_size(stored) : 0;
  char *text = length > 0 && length <= MOST_FIXED ? calloc(length + 1, 1) : NULL;
  bool good = text && H5Aread(attribute, stored, text) >= 0;
  if (good)
    snprintf(out, size, "%s", text);
  free(text);
  return good;
}

bool vb_h5_read_attribute(hid_t object, const char *name, char *out, size_t size) {
  if (vb_reader_has(object))
    return vb_reader_attribute(object, name, out, size);
  hid_t attribute = open_attribute(object, name);
  if (attribute < 0)
    return false;
  hid_t stored = H5Aget_type(attribute);
  bool good = H5Tis_variable_str(stored) > 0
                  ? read_variable(attribute, out, size)
                  : is_label(name) && read_fixed(attribute, stored, out, size);
  vb_h5_release(stored);
  vb_h5_release(attribute);
  return good;
}

/// Reads an attribute of a class of numbers; false where there is none, or `h5` fails.
static bool read_scalar(vb_h5 *h5, hid_t object, const char *name, H5T_class_t class, hid_t native,
                        void *out) {
  if (h5->status || H5Aexists(object, name) <= 0)
    return false;
  hid_t attribute = open_attribute(object, name);
  hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
  bool good = type >= 0 && H5Tget_class(type) == class && vb_h5_is_number(type) &&
              H5Aread(attribute, native, out) >= 0;
  if (!good)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: its attribute \"%s\" is no %s",
                              h5->path, name, class == H5T_INTEGER ? "integer" : "number");
  vb_h5_release(type);
  vb_h5_release(attribute);
  return good;
}

bool vb_h5_read_integer(vb_h5 *h5, hid_t object, const char *name, int64_t *out) {
  if (vb_reader_has(object))
    return vb_reader_integer(h5, object, name, out);
  int64_t value;
  bool good = read_scalar(h5, object, name, H5T_INTEGER, H5T_NATIVE_INT64, &value);
  if (good)
    *out = value;
  return good;
}

bool vb_h5_read_number(vb_h5 *h5, hid_t object, const char *name, double *out) {
  if (vb_reader_has(object))
    return vb_reader_number(h5, object, name, out);
  double value;
  bool good = read_scalar(h5, object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, &value);
  if (good)
    *out = value;
  return good;
}
