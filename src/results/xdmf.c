// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/xdmf.h"

#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIEW_BYTES ((size_t)2048) ///< at most for a virtual dataset with its attributes

/// How many frames are shown.
static size_t count_shown(const vb_xdmf *xdmf) {
  return xdmf->n_frames < xdmf->most_frames ? xdmf->n_frames : xdmf->most_frames;
}

/// The frame that is shown as number `i` of `n`.
static size_t frame_of(const vb_xdmf *xdmf, size_t i, size_t n) {
  return n > 1 ? (i * (xdmf->n_frames - 1) + (n - 1) / 2) / (n - 1) : 0;
}

size_t vb_xdmf_view_bytes(const vb_xdmf *xdmf) {
  return (count_shown(xdmf) + 1) * (xdmf->n_fields + 2) * VIEW_BYTES;
}

static size_t cells(const vb_xdmf *xdmf) {
  return xdmf->n_tetrahedra > 0 ? xdmf->n_tetrahedra : xdmf->n_segments;
}

/// How many elements a field of the nodes' grid has.
static size_t size_of(const vb_xdmf *xdmf, const vb_xdmf_field *field) {
  return field->of_cells ? cells(xdmf) : xdmf->n_nodes;
}

/// XDMF's HyperSlab items come out empty in some of ParaView's readers; whole datasets work in all.
static void write_view(vb_h5 *h5, hid_t group, const vb_xdmf *xdmf, const vb_xdmf_field *field,
                       size_t n, size_t frame) {
  int rank = field->components > 1 ? 2 : 1;
  hsize_t source_size[3] = {xdmf->n_frames, n, (hsize_t)field->components};
  hsize_t start[3] = {frame, 0, 0}, count[3] = {1, n, (hsize_t)field->components};
  char path[128];
  snprintf(path, sizeof path, "/run/frames/%s", field->name);
  hid_t source = VB_H5(h5, H5Screate_simple(rank + 1, source_size, NULL));
  VB_H5(h5, H5Sselect_hyperslab(source, H5S_SELECT_SET, start, NULL, count, NULL));
  hid_t space = VB_H5(h5, H5Screate_simple(rank, count + 1, NULL));
  hid_t plist = vb_h5_dataset_plist(h5);
  // The file name "." is the file itself, whatever it is renamed to.
  VB_H5(h5, H5Pset_virtual(plist, space, ".", path, source));
  hid_t view = VB_H5(
      h5, H5Dcreate2(group, field->name, H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
  vb_h5_release(view);
  vb_h5_release(plist);
  vb_h5_release(space);
  vb_h5_release(source);
}

/// The views of a frame.
static vb_h5_links count_links(const vb_xdmf *xdmf) {
  vb_h5_links links = {.n = xdmf->n_fields + (xdmf->surface != NULL)};
  for (size_t i = 0; i < xdmf->n_fields; i++)
    links.letters += strlen(xdmf->fields[i].name);
  links.letters += xdmf->surface ? strlen(xdmf->surface->name) : 0;
  return links;
}

void vb_xdmf_write_views(vb_h5 *h5, hid_t file, const vb_xdmf *xdmf) {
  size_t n = count_shown(xdmf);
  vb_h5_links links = count_links(xdmf);
  vb_h5_release(vb_h5_group_of(h5, file, "view", &(vb_h5_links){n, n * strlen("frame_000000")}));
  for (size_t k = 0; k < n && !h5->status; k++) {
    size_t frame = frame_of(xdmf, k, n);
    char name[64];
    snprintf(name, sizeof name, "view/frame_%06zu", frame);
    hid_t group = vb_h5_group_of(h5, file, name, &links);
    for (size_t i = 0; i < xdmf->n_fields; i++)
      write_view(h5, group, xdmf, &xdmf->fields[i], size_of(xdmf, &xdmf->fields[i]), frame);
    if (xdmf->surface)
      write_view(h5, group, xdmf, xdmf->surface, xdmf->n_vertices, frame);
    vb_h5_release(group);
  }
}

static void print_escaped(FILE *out, const char *text) {
  static const char *const escaped[UCHAR_MAX + 1] = {
      ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
  for (const char *c = text; *c; c++)
    if (escaped[(unsigned char)*c])
      fputs(escaped[(unsigned char)*c], out);
    else
      fputc(*c, out);
}

/// Elements of one type, whose `corners` nodes or vertices are in /topology/`dataset`.
static void print_elements(FILE *out, const char *h5_name, const char *type, size_t n, int corners,
                           const char *dataset) {
  fprintf(out,
          "<Topology TopologyType=\"%s\" NumberOfElements=\"%zu\">"
          "<DataItem Format=\"HDF\" NumberType=\"Int\" Precision=\"4\" Dimensions=\"%zu %d\">",
          type, n, n, corners);
  print_escaped(out, h5_name);
  fprintf(out, ":/topology/%s</DataItem></Topology>\n", dataset);
}

static void print_topology(FILE *out, const char *h5_name, const vb_xdmf *xdmf) {
  if (xdmf->n_tetrahedra > 0)
    print_elements(out, h5_name, "Tetrahedron", xdmf->n_tetrahedra, 4, "tetrahedron");
  else if (xdmf->n_segments > 0)
    print_elements(out, h5_name, "Polyline\" NodesPerElement=\"2", xdmf->n_segments, 2, "segment");
  else
    fprintf(out, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%zu\"/>\n",
            xdmf->n_nodes);
}

static void print_item(FILE *out, const char *h5_name, const vb_xdmf_field *field, size_t n,
                       size_t frame) {
  fprintf(out, "<DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"%zu", n);
  if (field->components > 1)
    fprintf(out, " %d", field->components);
  fputs("\">", out);
  print_escaped(out, h5_name);
  fprintf(out, ":/view/frame_%06zu/%s</DataItem>", frame, field->name);
}

/// The bone that each tetrahedron is inside of, in all frames the same.
static void print_bones(FILE *out, const char *h5_name, const vb_xdmf *xdmf) {
  fprintf(out,
          "<Attribute Name=\"bone\" AttributeType=\"Scalar\" Center=\"Cell\"><DataItem "
          "Format=\"HDF\" NumberType=\"Int\" Precision=\"4\" Dimensions=\"%zu\">",
          xdmf->n_tetrahedra);
  print_escaped(out, h5_name);
  fputs(":/topology/tetrahedron_bone</DataItem></Attribute>\n", out);
}

static void print_rods(FILE *out, const char *h5_name, const vb_xdmf *xdmf, size_t frame) {
  print_topology(out, h5_name, xdmf);
  fputs("<Geometry GeometryType=\"XYZ\">", out);
  print_item(out, h5_name, &xdmf->fields[0], xdmf->n_nodes, frame);
  fputs("</Geometry>\n", out);
  for (size_t i = 1; i < xdmf->n_fields; i++) {
    const vb_xdmf_field *f = &xdmf->fields[i];
    fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", f->name,
            f->components == 9  ? "Tensor"
            : f->components > 1 ? "Vector"
                                : "Scalar",
            f->of_cells ? "Cell" : "Node");
    print_item(out, h5_name, f, size_of(xdmf, f), frame);
    fputs("</Attribute>\n", out);
  }
  if (xdmf->bones)
    print_bones(out, h5_name, xdmf);
}

static void print_surface(FILE *out, const char *h5_name, const vb_xdmf *xdmf, size_t frame) {
  print_elements(out, h5_name, "Triangle", xdmf->n_triangles, 3, "triangle");
  fputs("<Geometry GeometryType=\"XYZ\">", out);
  print_item(out, h5_name, xdmf->surface, xdmf->n_vertices, frame);
  fputs("</Geometry>\n", out);
}

static void print_frame(FILE *out, const char *h5_name, const vb_xdmf *xdmf, size_t frame) {
  const char *type = xdmf->surface ? "Collection\" CollectionType=\"Spatial" : "Uniform";
  fprintf(out, "<Grid Name=\"frame_%06zu\" GridType=\"%s\">\n<Time Value=\"%.17g\"/>\n", frame,
          type, xdmf->time[frame]);
  if (xdmf->surface)
    fputs("<Grid Name=\"rods\" GridType=\"Uniform\">\n", out);
  print_rods(out, h5_name, xdmf, frame);
  if (xdmf->surface) {
    fputs("</Grid>\n<Grid Name=\"surface\" GridType=\"Uniform\">\n", out);
    print_surface(out, h5_name, xdmf, frame);
    fputs("</Grid>\n", out);
  }
  fputs("</Grid>\n", out);
}

static void print_all(FILE *out, const char *h5_name, const vb_xdmf *xdmf) {
  fputs("<?xml version=\"1.0\" ?>\n<Xdmf Version=\"3.0\">\n<Domain>\n<Grid Name=\"", out);
  print_escaped(out, xdmf->title);
  fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", out);
  size_t n = count_shown(xdmf);
  for (size_t k = 0; k < n; k++)
    print_frame(out, h5_name, xdmf, frame_of(xdmf, k, n));
  fputs("</Grid>\n</Domain>\n</Xdmf>\n", out);
}

vb_status vb_xdmf_write_sidecar(const char *path, const char *h5_name, const vb_xdmf *xdmf,
                                vb_error *error) {
  vb_output output;
  vb_status status = vb_output_begin(path, false, &output, error);
  if (status)
    return status;
  FILE *out = vb_output_stream(&output);
  if (out)
    print_all(out, h5_name, xdmf);
  else
    status = vb_error_memory(error);
  bool broken = out && ferror(out);
  if (out && (fclose(out) || broken))
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path, strerror(errno));
  return vb_output_end(&output, status, error);
}
