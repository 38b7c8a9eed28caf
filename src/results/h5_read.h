// SPDX-License-Identifier: GPL-3.0-or-later
/// Checked reading of HDF5 files from any source.
///
/// The one place where groups, attributes and datasets are opened to be read. What a file claims is
/// checked before anything is allocated: kind, axes, and that so many numbers can be in the file at
/// all. Refused, each by a sentence that names the dataset: what is kept in another file (external
/// storage, virtual datasets onto other files, links out of the file) and filters that files of
/// ours do not use, for which HDF5 would load a plug-in.
///
/// As in h5.h a failure is noted in the `vb_h5`, and calls do nothing once one has failed. That
/// something is not there is no failure. Paths may be absolute, or relative to `from`.
///
/// What vb_h5_open_file opened for reading is read by another process (h5_reader.h): each function
/// here asks that, where what it is given lies there.
#ifndef VB_RESULTS_H5_READ_H
#define VB_RESULTS_H5_READ_H

#include "results/h5.h"

#include <stddef.h>
#include <stdint.h>

/// Most axes of a dataset that is read.
#define VB_H5_RANK 3

/// What a dataset holds.
typedef enum vb_h5_kind {
  VB_H5_NUMBERS, ///< integers or floating-point numbers, of the usual sizes
  VB_H5_TEXTS,   ///< of variable length
  VB_H5_OTHER,   ///< neither, or with more axes; cannot be read
} vb_h5_kind;

/// A dataset, opened.
typedef struct vb_h5_dataset {
  hid_t id;
  const char *path; ///< for messages; borrowed
  vb_h5_kind kind;
  char letter;                ///< of numbers: 'f' floating-point, 'i' integer, 'u' unsigned
  bool sound;                 ///< what it claims to hold is known to be in the file
  size_t size;                ///< bytes of an element in the file
  int rank;                   ///< 0 of what cannot be read
  hsize_t extent[VB_H5_RANK]; ///< 1 beyond the rank
} vb_h5_dataset;

/// Elements `start` to `start` + `count` - 1 of each axis; 0 and 1 beyond the rank.
typedef struct vb_h5_block {
  hsize_t start[VB_H5_RANK];
  hsize_t count[VB_H5_RANK];
} vb_h5_block;

/// Whether what was refused last is kept from readers, not wrong: it lies in another file, or needs
/// a plug-in. Like an error number of the system, it is told of the latest failure alone.
bool vb_h5_is_denied(void);
void vb_h5_set_denied(bool is_denied);

/// Whether there is a group or dataset at `path`.
bool vb_h5_has(vb_h5 *h5, hid_t from, const char *path);

/// Opens a group; -1 where there is none. Released by vb_h5_release.
hid_t vb_h5_open_group(vb_h5 *h5, hid_t from, const char *path);

/// Opens a group or dataset; -1 where there is none. Released by vb_h5_release.
hid_t vb_h5_open_object(vb_h5 *h5, hid_t from, const char *path);

/// Opens a dataset of any type; false where there is none. `out->id` is released by vb_h5_release,
/// and is -1 where false is returned.
bool vb_h5_open_dataset(vb_h5 *h5, hid_t from, const char *path, vb_h5_dataset *out);

/// Checks that the dataset is of `kind`, has `least` to `most` axes, and that what it claims to
/// hold can be in the file. To be called before anything is allocated by its extent; the functions
/// that read call it, too.
void vb_h5_expect(vb_h5 *h5, const vb_h5_dataset *dataset, vb_h5_kind kind, int least, int most);

/// Reads a block of numbers into `out`, which has room for them. The block must be in the dataset.
void vb_h5_read_numbers(vb_h5 *h5, const vb_h5_dataset *dataset, const vb_h5_block *block,
                        double *out);

/// The same into new memory, which the caller frees; null after a failure.
double *vb_h5_new_numbers(vb_h5 *h5, const vb_h5_dataset *dataset, const vb_h5_block *block);

/// Likewise as integers, to which floating-point numbers are cut, and the greatest stands for those
/// beyond it.
int64_t *vb_h5_new_integers(vb_h5 *h5, const vb_h5_dataset *dataset, const vb_h5_block *block);

/// Reads the last number of a list, or the only one of a dataset; false where there is none.
bool vb_h5_last_number(vb_h5 *h5, hid_t from, const char *path, double *out);

/// Reads all texts of a dataset of up to one axis; their number to `*n`. The caller frees each and
/// the list, which may hold no null; null after a failure.
char **vb_h5_new_texts(vb_h5 *h5, const vb_h5_dataset *dataset, size_t *n);

/// The text of a dataset that holds one; the caller frees; null after a failure.
char *vb_h5_new_text(vb_h5 *h5, const vb_h5_dataset *dataset);

/// Reads a text attribute into at most `size` bytes; false where there is none of that kind.
bool vb_h5_read_attribute(hid_t object, const char *name, char *out, size_t size);

/// Reads an attribute that must be one integer; false where there is none.
bool vb_h5_read_integer(vb_h5 *h5, hid_t object, const char *name, int64_t *out);

/// Likewise one floating-point number.
bool vb_h5_read_number(vb_h5 *h5, hid_t object, const char *name, double *out);

/// Callback for a group's member: its name, and the type of the link. False ends the listing.
typedef bool vb_h5_member(const char *name, H5L_type_t link, void *data);

/// Tells of all members of a group, in the order of the alphabet.
void vb_h5_list_members(vb_h5 *h5, hid_t group, vb_h5_member *visit, void *data);

/// Callback for a dataset: its path below the group. False ends the listing.
typedef bool vb_h5_found(const char *path, vb_h5_kind kind, void *data);

/// Tells of all datasets in the group at `path` and in groups below it, if there is that group.
void vb_h5_list_datasets(vb_h5 *h5, hid_t from, const char *path, vb_h5_found *visit, void *data);

/// Whether a group has a member of this name, be it a link that leads nowhere.
bool vb_h5_has_member(hid_t group, const char *name);

/// The file that link `name` of a group leads to, where it is an external link to the root of one;
/// false where it is not, or its name has `size` bytes or more.
bool vb_h5_link_target(hid_t group, const char *name, char *out, size_t size);

#endif
