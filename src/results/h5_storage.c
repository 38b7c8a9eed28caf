// SPDX-License-Identifier: GPL-3.0-or-later
/// Where the numbers of a dataset lie, and how they are packed.
#include "results/h5_read_internal.h"

#include <string.h>

/// Parts that a virtual dataset is made of.
#define MAX_VIRTUAL_SOURCES 4096

/// Filters of HDF5 itself, each once: what comes of several deflates has no limit.
static void check_filters(vb_h5 *h5, const char *path, hid_t plist) {
  int n = (int)VB_H5(h5, H5Pget_nfilters(plist));
  unsigned seen = 0;
  for (int i = 0; i < n && !h5->status; i++) {
    unsigned flags;
    size_t n_values = 0;
    H5Z_filter_t filter =
        H5Pget_filter2(plist, (unsigned)i, &flags, &n_values, NULL, 0, NULL, NULL);
    bool known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
                 filter == H5Z_FILTER_FLETCHER32;
    if (!known || seen & 1U << filter)
      vb_h5_refuse_denied(h5, path, "uses a compression filter that this program does not write");
    else
      seen |= 1U << filter;
  }
}

/// Sees to it that the numbers lie in this file, as `plist` tells. Where `bytes` is not null, adds
/// what they take there, which HDF5 must count.
static void check_own(vb_h5 *h5, hid_t dataset, const char *path, hid_t plist, hsize_t *bytes) {
  if (!h5->status && H5Pget_external_count(plist) != 0)
    vb_h5_refuse_denied(h5, path, "is kept in another file, which is not read");
  check_filters(h5, path, plist);
  if (bytes && !h5->status)
    *bytes += H5Dget_storage_size(dataset);
}

static bool is_virtual(hid_t plist) {
  return H5Pget_layout(plist) == H5D_VIRTUAL;
}

/// How many numbers of a dataset of the space `actual` a selection takes, as a virtual dataset
/// stores it; -1 where it does not lie in it. HDF5 1.10 does not check this before it reads: of a
/// dataset without elements, for example, it writes outside of its memory.
static hssize_t count_selected(hid_t selection, hid_t actual) {
  hsize_t low[H5S_MAX_RANK], high[H5S_MAX_RANK], extent[H5S_MAX_RANK];
  int rank = H5Sget_simple_extent_ndims(actual);
  if (H5Sget_simple_extent_type(actual) == H5S_NULL || rank < 0 || rank > H5S_MAX_RANK)
    return -1;
  if (H5Sget_select_type(selection) == H5S_SEL_ALL)
    return H5Sget_simple_extent_npoints(actual);
  if (H5Sget_simple_extent_ndims(selection) != rank || rank == 0 ||
      H5Sget_select_bounds(selection, low, high) < 0 ||
      H5Sget_simple_extent_dims(actual, extent, NULL) != rank)
    return -1;
  for (int i = 0; i < rank; i++)
    if (high[i] >= extent[i])
      return -1;
  return H5Sget_select_npoints(selection);
}

/// Sees to it that part `i` of a virtual dataset, and what it is made of, are as large as their
/// selections say, and equally large.
static void check_virtual_part(vb_h5 *h5, hid_t dataset, hid_t source, hid_t plist, size_t i,
                               const char *path) {
  hid_t part = VB_H5(h5, H5Pget_virtual_vspace(plist, i));
  hid_t from = VB_H5(h5, H5Pget_virtual_srcspace(plist, i));
  hid_t whole = VB_H5(h5, H5Dget_space(dataset)), other = VB_H5(h5, H5Dget_space(source));
  hssize_t n = h5->status ? 0 : count_selected(part, whole);
  if (!h5->status && (n < 1 || n != count_selected(from, other)))
    vb_h5_refuse(h5, path, "is made of a dataset of another shape");
  vb_h5_release(other);
  vb_h5_release(whole);
  vb_h5_release(from);
  vb_h5_release(part);
}

/// Part `i` of a virtual dataset, and the dataset `name` that it is made of.
static void check_virtual_source(vb_h5 *h5, hid_t file, hid_t dataset, hid_t made, size_t i,
                                 const char *name, const char *path, hsize_t *bytes) {
  // A % would have HDF5 look for many datasets.
  hid_t source = strchr(name, '%') ? -1 : vb_h5_open_here(h5, file, name), plist = -1;
  if (source < 0 || H5Iget_type(source) != H5I_DATASET) {
    vb_h5_refuse(h5, path, "is made of a dataset that is not there");
  } else {
    plist = VB_H5(h5, H5Dget_create_plist(source));
    if (is_virtual(plist))
      vb_h5_refuse(h5, path, "is made of datasets that are made of others");
    check_own(h5, source, path, plist, bytes);
    check_virtual_part(h5, dataset, source, made, i, path);
  }
  vb_h5_release(plist);
  vb_h5_release(source);
}

/// A dataset that is made of others: these must lie in the same file, and not be made of others.
static void check_virtual_sources(vb_h5 *h5, hid_t dataset, const char *path, hid_t plist,
                                  hsize_t *bytes) {
  size_t n = 0;
  if (H5Pget_virtual_count(plist, &n) < 0 || n > MAX_VIRTUAL_SOURCES)
    vb_h5_refuse(h5, path, "is made of too many others");
  hid_t file = VB_H5(h5, H5Iget_file_id(dataset));
  for (size_t i = 0; i < n && !h5->status; i++) {
    char where[8] = "", name[VB_H5_PATH_SIZE] = "";
    ssize_t length = H5Pget_virtual_filename(plist, i, where, sizeof where);
    if (length != 1 || where[0] != '.') {
      vb_h5_refuse_denied(h5, path, "is made of another file, which is not read");
      break;
    }
    length = H5Pget_virtual_dsetname(plist, i, name, sizeof name);
    check_virtual_source(h5, file, dataset, plist, i,
                         length > 0 && (size_t)length < sizeof name ? name : "%", path, bytes);
  }
  vb_h5_release(file);
}

void vb_h5_check_storage(vb_h5 *h5, hid_t dataset, const char *path, hsize_t *bytes) {
  hid_t plist = VB_H5(h5, H5Dget_create_plist(dataset));
  if (!h5->status && is_virtual(plist))
    check_virtual_sources(h5, dataset, path, plist, bytes);
  else
    check_own(h5, dataset, path, plist, bytes);
  vb_h5_release(plist);
}
