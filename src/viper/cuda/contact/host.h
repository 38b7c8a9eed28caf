// SPDX-License-Identifier: GPL-3.0-or-later
/// The host's part of contact on a device: launches the kernels of a substep, and allocates the
/// contacts' data. For C code of either precision.
#ifndef VIPER_CUDA_CONTACT_HOST_H
#define VIPER_CUDA_CONTACT_HOST_H

#include "viper/cuda/core/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kernels besides those of bodies. Elements of a phase are independent, but in the phases of
/// one cooperative group, which has barriers.
typedef enum viper_contact_phase {
  VIPER_CONTACT_GATHER,   ///< nodes, where they are predicted, and their contacts with half-planes;
                          ///< spheres about segments, and the cells they are in
  VIPER_CONTACT_PAIRS,    ///< of spheres that overlap
  VIPER_CONTACT_TOUCHES,  ///< contacts of pairs
  VIPER_CONTACT_SMOOTH,   ///< with normals of smooth rods: they are turned
  VIPER_CONTACT_COLOR,    ///< one group: the order of contacts, and their colors
  VIPER_CONTACT_ARRANGE,  ///< contacts, color by color; and the frames that friction may roll
  VIPER_CONTACT_CENTER,   ///< bodies that nothing holds, to where their momentum is right: after
                          ///< bundles; else iterations do it
  VIPER_CONTACT_PASS,     ///< one group: over all contacts
  VIPER_CONTACT_PASS_HAT, ///< the same; predictions follow
  VIPER_CONTACT_FRAMES,   ///< those frames alone, without contacts between capsules
  VIPER_CONTACT_FORGET,   ///< what contacts have kept
  VIPER_CONTACT_BEGIN,    ///< one group: bodies are moved by what contacts begin with
  VIPER_CONTACT_SETTLE,   ///< after the last pass: friction that does work is taken back
  VIPER_CONTACT_SUSPECT,  ///< then: segments that may pass through others
  VIPER_CONTACT_TRUNCATE, ///< one group: motions of these are truncated
  VIPER_CONTACT_WORK,     ///< of driven half-planes, after the last pass
  VIPER_CONTACT_REPORT,   ///< what is told of contacts
  VIPER_CONTACT_PHASES
} viper_contact_phase;

/// Parts of a substep of bodies.
typedef enum viper_bodies_action {
  VIPER_BODIES_BEGIN,   ///< they are predicted; with contact, nothing is found yet and driven
                        ///< half-planes move
  VIPER_BODIES_ITERATE, ///< one iteration
  VIPER_BODIES_CENTER,  ///< likewise, and those that nothing holds get their momentum back
  VIPER_BODIES_LEAVE    ///< rates, and the work done on them
} viper_bodies_action;

/// Room for what a substep finds. One that finds more changes nothing, and is to be done again with
/// more room.
typedef struct viper_contact_rooms {
  int32_t pairs, touches;
} viper_contact_rooms;

/// What lasts from substep to substep. A number of the working precision that is not negative is
/// kept as its bits, which are as large as it is: so the greatest of several is found in any order.
typedef struct viper_contact_run {
  int32_t full;           ///< a substep found more than there is room for; nothing is done since
  int32_t substeps;       ///< done of the step at hand
  int32_t pairs, touches; ///< what the latest substep found
  uint64_t speed; ///< greatest motion of two capsules over their radii, in the latest substep
  int64_t truncated, truncated_since; ///< nodes whose motion was truncated in the step at hand or
                                      ///< the latest one, and since the state was put
  int64_t truncated_steps;            ///< steps since then in which any was
} viper_contact_run;

/// What a device model of contact or of bundles is made of; all of it must outlive the device
/// model.
typedef struct viper_joined_setup {
  const viper_model *model;
  const viper_body_groups *body_groups;
  viper_settings settings;
} viper_joined_setup;

/// Where the contacts of the latest substep are, on the device.
typedef struct viper_contact_lists {
  const void *between, *rest; ///< viper_touch: of capsules, as many as the run says; of half-planes
  const int32_t *n_rests;     ///< [n_nodes]
  const void *node;           ///< [n_nodes] viper_contact_node
  const void *plane;          ///< [n_half_planes] viper_plane
  size_t touch_bytes;         ///< of one contact
  size_t node_bytes, plane_bytes;
} viper_contact_lists;

/// What contacts leave to the next substep.
typedef struct viper_kept_arrays {
  void *row;    ///< viper_kept_row, of segments; null where there are none
  void *rest;   ///< viper_kept, of nodes and half-planes; likewise
  double *push; ///< forces of driven half-planes on nodes; likewise
  size_t row_bytes, rest_bytes, push_bytes; ///< of all
} viper_kept_arrays;

/// Functions in one precision. The device model's `device` is a viper_contact_device; its block
/// `rest` begins with the viper_contact_run, its block `room` with what is told.
typedef struct viper_contact_upload_api {
  /// Plans the device model of a scene with contact or half-planes. Freed by
  /// viper_device_model_destroy.
  vb_status (*create)(const viper_joined_setup *setup, viper_device_model **out, vb_error *error);
  /// Has what is launched from now on see the constants of these settings.
  void (*take_settings)(viper_device_model *self, const viper_settings *settings);
  /// The room that it has when it is laid out, and has to begin with unless that is changed.
  viper_contact_rooms *(*rooms)(viper_device_model *self);
  /// Contact statistics for the host, from copies of the beginnings of the blocks `rest` and
  /// `room`.
  void (*report)(const char *rest, const char *room, double out[VIPER_N_CONTACT]);
  size_t report_bytes; ///< of the block `room`
  void (*lists)(const void *device, viper_contact_lists *out);
  /// As viper_backend's contact_forces, from copies of what `lists` names: `n` contacts between
  /// capsules, and those of each node with half-planes; none where they are null.
  void (*forces)(const viper_model *model, const double *node, const viper_contact_lists *lists,
                 size_t n, double *on_body, double *on_plane, double work[2]);
  /// Where the device has what contacts keep.
  viper_kept_arrays (*kept)(const void *device);
  /// Copies of these arrays from the array `kept` of viper_state (null: nothing is kept), and to
  /// it.
  void (*keep_from)(const double *kept, const viper_kept_arrays *copies);
  void (*keep_to)(const viper_kept_arrays *copies, double *out);
} viper_contact_upload_api;

extern const viper_contact_upload_api viper_contact_upload_f32;
extern const viper_contact_upload_api viper_contact_upload_f64;

/// What does the work: kernels on a device, or loops. Functions return 0, or a cudaError_t as a
/// number.
typedef struct viper_contact_executor {
  int (*bodies)(void *self, viper_bodies_action action, const viper_settings *settings);
  int (*phase)(void *self, viper_contact_phase phase);
  /// The end of a substep, `last` of a step.
  int (*end)(void *self, bool last);
  /// A pass over all bundles (viper_bundle_pass); null where there are none.
  int (*bundles)(void *self, int pass);
} viper_contact_executor;

/// Has a substep done; with `fresh_contacts` of the settings without what was kept: finds contacts,
/// then one iteration of all bodies and one pass over all bundles and contacts, and so on
/// (cpu/step_real.c has the same order). `between` tells whether capsules touch each other,
/// `driven` whether there are driven half-planes. Returns what a function of the worker returned
/// first that was not 0.
int viper_contact_substep(const viper_contact_executor *executor, void *self, bool between,
                          bool driven, const viper_settings *settings, bool last);

/// The kernels of bodies, one set per precision and arithmetic. Functions return a cudaError_t as a
/// number. `device` is the device model's viper_device, `contact` its viper_contact_device.
typedef struct viper_contact_body_kernels {
  /// Threads that a multiprocessor holds of the kernel that iterates bodies. Lets its blocks ask
  /// for the shared memory that there is.
  int (*prepare)(viper_method method, int *threads);
  /// A part of a substep of all bodies; the list `bodies` of the classes is on the device.
  int (*run)(const void *device, const void *contact, viper_bodies_action action,
             const viper_settings *settings, const viper_advance *advance, const viper_coops *coops,
             const int32_t *bodies, void *stream);
} viper_contact_body_kernels;

VIPER_DECLARE_KERNELS(viper_contact_body_kernels);
VIPER_DECLARE_KERNELS_NAMED(viper_contact_body_kernels, viper_solid_contact_body_kernels);

/// The cooperative groups that go over contacts: launch grids of so many blocks, or one block,
/// which has its workspace in shared memory if that is large enough.
typedef struct viper_contact_coop {
  int blocks;             ///< that color contacts
  int pass_blocks;        ///< of all other phases
  size_t shared_of_block; ///< most shared memory that a block can ask for, bytes
} viper_contact_coop;

/// Those of contact itself, likewise.
typedef struct viper_contact_kernels {
  /// Fills in how many blocks a multiprocessor holds of the kernels that go over contacts, and lets
  /// these ask for the shared memory that there is.
  int (*prepare)(viper_contact_coop *coop);
  /// A phase.
  int (*phase)(const void *device, const void *contact, viper_contact_phase phase,
               const viper_contact_coop *coop, void *stream);
  int (*end)(const void *device, const void *contact, bool last, void *stream);
} viper_contact_kernels;

VIPER_DECLARE_KERNELS(viper_contact_kernels);

// Memory and launches; built only where there is nvcc.

typedef struct viper_contact_cuda viper_contact_cuda;

/// What it is made with besides the setup; all must outlive it.
typedef struct viper_contact_host {
  const viper_body_groups *body_groups;
  const viper_coops *coops;
  const void *device;      ///< viper_device
  const int32_t *d_bodies; ///< the groups' bodies, on the device
  int n_multiprocessors;
  void *stream; ///< cudaStream_t in which all of it is queued
} viper_contact_host;

/// Limits of the device for bodies that something joins between iterations (contact, bundles): they
/// stay in global memory, and are in shared memory for an iteration if all of them fit there.
vb_status viper_contact_cuda_limits(const viper_backend_setup *setup, viper_device_limits *limits,
                                    vb_error *error);

/// Brings the contact of a scene that has any, or half-planes, to the device. Freed by
/// viper_contact_cuda_destroy.
vb_status viper_contact_cuda_create(const viper_backend_setup *setup,
                                    const viper_contact_host *host, viper_contact_cuda **out,
                                    vb_error *error);
/// In scenes with bundles: a pass over these, by `pass` on `bundles` and the viper_contact_device.
void viper_contact_cuda_join(viper_contact_cuda *contact,
                             int (*pass)(void *bundles, const void *contact, int pass),
                             void *bundles);
void viper_contact_cuda_destroy(viper_contact_cuda *contact);

/// After a new state was put: there are no contacts yet, but what is `kept` of viper_state.
vb_status viper_contact_cuda_reset(viper_contact_cuda *contact, const double *kept,
                                   vb_error *error);

/// See viper_backend.
vb_status viper_contact_cuda_keep(viper_contact_cuda *contact, double *out, vb_error *error);

/// Queues a substep, `last` of a step.
vb_status viper_contact_cuda_substep(viper_contact_cuda *contact, const viper_settings *settings,
                                     const viper_advance *advance, bool last, vb_error *error);

/// Notes that a step was started, by its substeps or as a graph of them: from then on there are
/// contacts to tell of.
void viper_contact_cuda_note_step(viper_contact_cuda *contact);

/// Waits for what was queued, and tells how it went.
vb_status viper_contact_cuda_look(viper_contact_cuda *contact, viper_contact_run *run,
                                  vb_error *error);

/// After a substep for which there was no room: makes as much as it asked for and half of it more.
/// What was queued since did nothing; launches that were captured know the old places.
vb_status viper_contact_cuda_grow(viper_contact_cuda *contact, const viper_contact_run *run,
                                  vb_error *error);

/// See viper_backend.
void viper_contact_cuda_report(viper_contact_cuda *contact, double out[VIPER_N_CONTACT]);
vb_status viper_contact_cuda_forces(viper_contact_cuda *contact, const double *node,
                                    double *on_body, double *on_plane, double work[2],
                                    vb_error *error);

#ifdef __cplusplus
}
#endif

#endif
