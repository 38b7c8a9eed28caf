// SPDX-License-Identifier: GPL-3.0-or-later
/// Bodies in a scene with contact: a team of lanes works on one in parts of a substep, between
/// which contacts are worked on. What it works with lies in the device's memory all the while.
#ifndef VIPER_CUDA_CONTACT_BODIES_H
#define VIPER_CUDA_CONTACT_BODIES_H

#include "viper/cuda/contact/device.h"
#include "viper/cuda/core/substep.h"

/// Makes `w` work on a body.
VIPER_FN void viper_contact_take(viper_work *w, const viper_contact_device *c, viper_method method,
                                 int32_t body) {
  w->body = &w->device->body[body];
  w->model = &w->device->kind[w->body->kind];
  w->links = &w->model->links;
  w->near = viper_near_at(method, c->near + c->near_first[body], viper_near_size_of(w->model));
}

/// A part of a substep of a body by a method.
template <viper_contact_part PART, viper_method METHOD>
VIPER_ON_BODY void viper_contact_body(viper_work *w, const viper_contact_device *c,
                                      const viper_launch *launch, int32_t body) {
  // What bodies begin and end with does not depend on the method, so all share METHOD there.
  viper_contact_take(w, c, PART == VIPER_BODIES_ITERATE ? METHOD : launch->settings.method, body);
  if (PART == VIPER_BODIES_BEGIN)
    viper_predict(w);
  else if (PART == VIPER_BODIES_ITERATE)
    viper_iterate<METHOD>(w, &launch->settings);
  else
    viper_leave(w, launch->rate);
}

#endif
