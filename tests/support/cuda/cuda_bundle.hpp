// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes with bundles on the host: the kernels' code lane by lane. In the precision of the source
/// that includes it.
#ifndef VB_TESTS_SUPPORT_CUDA_BUNDLE_HPP
#define VB_TESTS_SUPPORT_CUDA_BUNDLE_HPP

#include "viper/cuda/bundle/phases.h"

#include "cuda/cuda_contact.hpp"

namespace {

class bundle_host {
public:
  bundle_host(const viper_device *device, const viper_coops *coops, cuda_threads *coop)
      : device_(device), coops_(coops), coop_(coop) {}
  ~bundle_host() { viper_device_model_destroy(device_model_); }

  vb_status create(const viper_joined_setup &setup, vb_error *error) {
    vb_status status = api_->create(&setup, &device_model_, error);
    if (status)
      return status;
    viper_block_bytes bytes = viper_device_model_count(device_model_);
    // What is not written before it is read is no number; counts are zeros.
    char *rest = aligned_block(rest_block_, bytes.rest, 0);
    room_ = aligned_block(room_block_, bytes.room, (char)0xff);
    bundles_ = static_cast<const viper_bundle_device *>(
        viper_device_model_lay(device_model_, rest, rest, room_));
    return VB_OK;
  }

  void put(const viper_state *state) { api_->put(device_model_, state, room_); }

  void substep(const contact_step &step, bool last) {
    static const viper_bundle_executor executor = {bodies, pass, end};
    step_ = step;
    viper_bundle_substep(&executor, this, &step.launch.settings, last);
  }

  /// A pass between iterations of bodies that `bodies` works on.
  void pass_among(const viper_contact_device *bodies, int pass) const {
    const int coop_size = 10;
    viper_bundle_device bundles = *bundles_;
    bundles.bodies = *bodies;
    coop_->run(coop_size, [&](int rank) {
      viper_coop_thread thread = {rank, coop_size, VIPER_SYNC_BLOCK, 0};
      viper_bundle_pass_thread(device_, &bundles, pass, &thread);
    });
  }

  vb_status residual(double h, const double *load, const double *active, double *out,
                     vb_error *error) const {
    return api_->residual(device_model_, room_, h, load, active, out, error);
  }

private:
  static int bodies(void *self, viper_bodies_action action, const viper_settings *settings) {
    auto *in = static_cast<bundle_host *>(self);
    viper_launch launch = in->step_.launch;
    launch.settings = *settings;
    act_on_bodies(in->device_, &in->bundles_->bodies, in->coops_, in->coop_, in->step_.coop_size,
                  action, &launch);
    return 0;
  }

  static int pass(void *self, int pass) {
    auto *in = static_cast<bundle_host *>(self);
    in->pass_among(&in->bundles_->bodies, pass);
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

  const viper_bundle_upload_api *api_ = &VIPER_NAME(viper_bundle_upload);
  const viper_device *device_;
  const viper_coops *coops_;
  cuda_threads *coop_;
  viper_device_model *device_model_ = nullptr;
  const viper_bundle_device *bundles_ = nullptr;
  std::vector<char> rest_block_, room_block_;
  char *room_ = nullptr;
  contact_step step_ = {};
};

} // namespace

#endif
