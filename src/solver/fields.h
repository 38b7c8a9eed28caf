// SPDX-License-Identifier: GPL-3.0-or-later
/// Fields of a solver as a table: what each is, and how its numbers are found. The description's
/// list, the counts and the reading follow from it.
///
/// A table is a macro FIELDS(X) of rows X(name, location, components, unit, long_name, how..),
/// where `how` are members of a vb_reading: .array = VB_ARRAY(member), or .fill = function.
/// Energies are one of rows X(INDEX, name, long_name, potential), INDEX an enumeration constant.
#ifndef VB_SOLVER_FIELDS_H
#define VB_SOLVER_FIELDS_H

#include "solver/solver.h"

/// How numbers are read of an instance: by one of the first five members. Places are counted in
/// bytes from where the instance begins, and none is 0.
typedef struct vb_reading {
  size_t array;  ///< place of a pointer to the numbers (VB_ARRAY)
  size_t number; ///< place of the numbers themselves (VB_NUMBER)
  size_t whole;  ///< place of one int (VB_WHOLE)
  void (*fill)(void *self, double *out);
  vb_status (*read)(void *self, double *out, vb_error *error); ///< as `fill`, but may fail
  size_t (*count)(const void *self, size_t n); ///< how many elements there are, the scene having
                                               ///< `n`; null: as many
} vb_reading;

/// Makes a field of a row; of the same row how it is read.
#define VB_FIELD(name, location, components, unit, long_name, ...)                                 \
  {name, location, components, unit, long_name},
#define VB_FIELD_READING(name, location, components, unit, long_name, ...) {__VA_ARGS__},

/// Makes an energy of a row; of the same row the constant that is its place in the list.
#define VB_ENERGY(INDEX, name, long_name, potential)       {name, long_name, potential},
#define VB_ENERGY_INDEX(INDEX, name, long_name, potential) INDEX,

/// The place of a member of vb_self, the type of instances. Members of other types do not compile.
#define VB_PLACE(member, ...)                                                                      \
  (offsetof(vb_self, member) + 0 * sizeof(_Generic(&((vb_self *)0)->member, __VA_ARGS__)))
#define VB_ARRAY(member) VB_PLACE(member, double ** : 0, double(**)[3] : 0)
#define VB_NUMBER(member)                                                                          \
  VB_PLACE(member, double * : 0, double(*)[sizeof((vb_self *)0)->member / sizeof(double)] : 0)
#define VB_WHOLE(member) VB_PLACE(member, int * : 0)

/// Elements of a scene at a location; 1 for the scene as a whole, 0 for those of a solver's own.
size_t vb_location_count(const vb_scene *scene, vb_location location);

/// Writes `n` numbers of `self` as `reading` finds them.
vb_status vb_read_by(const vb_reading *reading, void *self, size_t n, double *out, vb_error *error);

/// Elements of field number `field`; 0 for a number that is none.
size_t vb_fields_count(const vb_solver_description *about, const vb_reading *readings,
                       const vb_scene *scene, const void *self, size_t field);

/// Writes field number `field`: count * components numbers. VB_BAD_INPUT for a number that is none.
vb_status vb_fields_read(const vb_solver_description *about, const vb_reading *readings,
                         const vb_scene *scene, void *self, size_t field, double *out,
                         vb_error *error);

/// Entries of the record of work: drivers, loads, activations.
size_t vb_work_count(const vb_scene *scene);

#endif
