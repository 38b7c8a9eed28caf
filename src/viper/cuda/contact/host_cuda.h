// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact on the device: memory and launches.
#ifndef VIPER_CUDA_CONTACT_HOST_CUDA_H
#define VIPER_CUDA_CONTACT_HOST_CUDA_H

#include "viper/cuda/contact/host.h"
#include "viper/cuda/core/coop_plan.h"

typedef struct viper_contact_cuda viper_contact_cuda;

/// What it is made with besides the setup; all must outlive it.
typedef struct viper_contact_host {
  const viper_kinds *kinds;
  const viper_teams *teams;
  const void *device;      ///< viper_device
  const int32_t *d_bodies; ///< the teams' bodies, on the device
  int n_multiprocessors;
  void *stream; ///< cudaStream_t in which all of it is queued
} viper_contact_host;

/// Limits of the device for bodies that something joins between iterations (contact, bundles): they
/// are not worked on in shared memory.
vb_status viper_contact_cuda_limits(const viper_backend_setup *setup, viper_device_limits *limits,
                                    vb_error *error);

/// Brings the contact of a scene that has any, or half-planes, to the device. Freed by
/// viper_contact_cuda_destroy.
vb_status viper_contact_cuda_create(const viper_backend_setup *setup,
                                    const viper_contact_host *host, viper_contact_cuda **out,
                                    vb_error *error);
void viper_contact_cuda_destroy(viper_contact_cuda *contact);

/// After a new state was put: there are no contacts yet.
vb_status viper_contact_cuda_reset(viper_contact_cuda *contact, vb_error *error);

/// Queues a substep of length `h`, `rate` being from displacement to velocity, `last` of a step.
vb_status viper_contact_cuda_substep(viper_contact_cuda *contact, const viper_settings *settings,
                                     double h, double rate, bool last, vb_error *error);

/// Waits for what was queued, and tells how it went.
vb_status viper_contact_cuda_look(viper_contact_cuda *contact, viper_contact_run *run,
                                  vb_error *error);

/// After a substep for which there was no room: makes as much as it asked for and half of it more.
/// What was queued since did nothing; launches that were captured know the old places.
vb_status viper_contact_cuda_grow(viper_contact_cuda *contact, const viper_contact_run *run,
                                  vb_error *error);

/// See viper_backend.
void viper_contact_cuda_tell(viper_contact_cuda *contact, double out[VIPER_N_CONTACT]);

#endif
