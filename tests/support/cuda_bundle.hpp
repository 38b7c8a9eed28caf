// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes with bundles on the host: the kernels' code lane by lane. In the precision of the source
/// that includes it.
#ifndef VB_TESTS_SUPPORT_CUDA_BUNDLE_HPP
#define VB_TESTS_SUPPORT_CUDA_BUNDLE_HPP

#include "viper/cuda/bundle/phases.h"

#include "cuda_contact.hpp"

namespace {

class bundle_host {
public:
  bundle_host(const viper_device *device, const viper_teams *teams, cuda_lanes *lanes)
      : device_(device), teams_(teams), lanes_(lanes) {}
  ~bundle_host() {
    if (image_)
      api_->destroy(image_);
  }

  vb_status create(const viper_bundle_setup &setup, vb_error *error) {
    vb_status status = api_->create(&setup, &image_, error);
    if (status)
      return status;
    viper_bundle_bytes bytes = api_->bytes(image_);
    // What is not written before it is read is no number; counts are zeros.
    char *rest = aligned_block(rest_block_, bytes.rest, 0);
    room_ = aligned_block(room_block_, bytes.room, (char)0xff);
    bundles_ = static_cast<const viper_bundle_device *>(api_->fill(image_, rest, rest, room_));
    return VB_OK;
  }

  void put(const viper_state *state) { api_->put(image_, state, room_); }

  void substep(const contact_step &step, bool last) {
    static const viper_bundle_worker worker = {bodies, pass, end};
    step_ = step;
    viper_bundle_substep(&worker, this, &step.launch.settings, last);
  }

  vb_status residual(double h, double *out, vb_error *error) const {
    return api_->residual(image_, room_, h, out, error);
  }

private:
  static int bodies(void *self, viper_contact_part part, const viper_settings *settings) {
    auto *in = static_cast<bundle_host *>(self);
    viper_launch launch = in->step_.launch;
    launch.settings = *settings;
    bodies_in_parts(in->device_, &in->bundles_->bodies, in->teams_, in->lanes_, in->step_.lanes,
                    part, &launch);
    return 0;
  }

  static int pass(void *self, int pass) {
    auto *in = static_cast<bundle_host *>(self);
    const int lanes = 10;
    in->lanes_->run(lanes, [&](int rank) {
      viper_lane lane = {rank, lanes, VIPER_MEET_BLOCK, 0};
      viper_bundle_pass_lane(in->device_, in->bundles_, pass, &lane);
    });
    return 0;
  }

  static int end(void *self, bool last) {
    auto *in = static_cast<bundle_host *>(self);
    if (in->device_->control->stopped)
      return 0;
    for (int32_t slot = 0; slot < in->device_->n_slots; slot++)
      viper_add_work(in->device_, slot);
    viper_end_substep(in->device_->control, last);
    return 0;
  }

  const viper_bundle_image_api *api_ = &VIPER_NAME(viper_bundle_image);
  const viper_device *device_;
  const viper_teams *teams_;
  cuda_lanes *lanes_;
  void *image_ = nullptr;
  const viper_bundle_device *bundles_ = nullptr;
  std::vector<char> rest_block_, room_block_;
  char *room_ = nullptr;
  contact_step step_ = {};
};

} // namespace

#endif
