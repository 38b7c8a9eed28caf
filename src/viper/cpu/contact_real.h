// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact in the time step (README.md, Contact), in the working precision.
#ifndef VIPER_CPU_CONTACT_REAL_H
#define VIPER_CPU_CONTACT_REAL_H

#include "viper/contact/filter.h"
#include "viper/contact/grid.h"
#include "viper/contact/meeting.h"
#include "viper/cpu/cpu_real.h"

#define viper_contact_create  VIPER_NAME(viper_contact_create)
#define viper_contact_destroy VIPER_NAME(viper_contact_destroy)
#define viper_contact_detect  VIPER_NAME(viper_contact_detect)
#define viper_contact_pass    VIPER_NAME(viper_contact_pass)
#define viper_contact_finish  VIPER_NAME(viper_contact_finish)
#define viper_contact_reset   VIPER_NAME(viper_contact_reset)
#define viper_contact_measure VIPER_NAME(viper_contact_measure)
#define viper_contact_gather  VIPER_NAME(viper_contact_gather)
#define viper_contact_pairs   VIPER_NAME(viper_contact_pairs)

/// Colors that contacts are sorted into; what needs more is handled one by one.
enum { VIPER_CONTACT_COLORS = 64 };

/// Contacts that a range of pairs made, in the pairs' order.
typedef struct viper_touch_list {
  viper_touch *touch;
  size_t n, capacity;
  viper_scalar speed; ///< greatest motion of two pills against each other, over their radii
  bool failed;        ///< out of memory
} viper_touch_list;

/// What contact needs. Lists grow where a substep has more than any before it.
struct viper_contacts {
  const vb_contact *settings; ///< of the scene; null where pills do not touch each other
  viper_plane *plane;         ///< [n_planes]
  size_t n_planes;
  viper_filter filter;
  viper_grid *grid;
  viper_moving_pill *pill;  ///< [n_segments]
  viper_sphere *sphere;     ///< [n_segments]
  viper_place *place;       ///< [n_nodes]
  viper_contact_node *node; ///< [n_nodes]
  uint64_t *colors;         ///< [n_nodes] colors of the contacts at a node, while these are sorted
  uint8_t *is_active;       ///< [n_nodes]
  int32_t *active;          ///< [n_active] nodes with contacts, rising
  int32_t n_active;
  viper_touch_list *found; ///< [n_found] of each chunk of pairs
  size_t n_found;
  viper_touch_list touch; ///< between pills, color by color
  int32_t color_first[VIPER_CONTACT_COLORS + 2];
  viper_touch_list rest; ///< on half-planes, node by node
  viper_limit *limit;    ///< [n_limits] of n_nodes: scales at or near their limit
  int32_t n_limits;
  double speed;   ///< greatest motion of two pills in this substep, over their radii
  double fastest; ///< the same since the state was put
};

/// For a model whose scene has contact or half-planes. Freed by viper_contact_destroy, on failure,
/// too.
vb_status viper_contact_create(viper_cpu *cpu, viper_contacts **out, vb_error *error);
void viper_contact_destroy(viper_contacts *contacts);

/// Finds the contacts of a substep, after the prediction.
vb_status viper_contact_detect(viper_cpu *cpu, const viper_settings *settings, vb_error *error);

/// One pass over all contacts, after an iteration of all bodies.
void viper_contact_pass(viper_cpu *cpu, const viper_settings *settings);

/// After the last pass: predictions are moved by what contacts moved, whatever the method.
void viper_contact_finish(viper_cpu *cpu);

/// After a new state was put: there are no contacts yet.
void viper_contact_reset(viper_contacts *contacts);

/// See viper_cpu_api.
void viper_contact_measure(const void *self, double out[VIPER_N_CONTACT]);

/// Reads all nodes from where they are.
void viper_contact_gather(viper_cpu *cpu, int threads);

/// The broad phase on what was gathered: pills, and pairs of segments that may come nearer than the
/// margin.
vb_status viper_contact_pairs(viper_cpu *cpu, double margin, int threads,
                              const viper_sphere_pair **pairs, size_t *n, vb_error *error);

#endif
