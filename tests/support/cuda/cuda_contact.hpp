// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes with contact on the host: the kernels' code lane by lane, and plain stable sorts in place
/// of those of the device. In the precision of the source that includes it.
#ifndef VB_TESTS_SUPPORT_CUDA_CONTACT_HPP
#define VB_TESTS_SUPPORT_CUDA_CONTACT_HPP

#include "viper/cuda/contact/phases.h"

#include "cuda/cuda_threads.hpp"
#include "cuda/phases_contact.hpp"
#include "viper/cuda/core/host.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace {

/// What a substep is given.
struct contact_step {
  viper_launch launch;
  int coop_size; ///< of every team; 0: as the classes have it
};

/// The first byte of a block at which the device's alignment begins; the block is full of `fill`.
char *aligned_block(std::vector<char> &block, size_t bytes, char fill) {
  block.assign(bytes + 64, fill);
  return block.data() + (64 - reinterpret_cast<uintptr_t>(block.data()) % 64) % 64;
}

/// viper_contact_body; with notes where there is a log.
template <viper_method METHOD>
void iterate_body(phases_access *w, const viper_contact_device *contact, int32_t body) {
  if (!phases_now) {
    viper_contact_body<VIPER_BODIES_ITERATE, METHOD>(w, contact, w->launch, body);
    return;
  }
  w->log = phases_now;
  viper_contact_take(w, contact, METHOD, body);
  phases_iterate<METHOD>(w, &w->launch->settings);
}

/// What a kernel does for one body in a part of a substep.
void act_on_body(const viper_device *device, const viper_contact_device *contact, int32_t body,
                 cuda_threads *coop, int coop_size, viper_bodies_action action,
                 const viper_launch *launch) {
  coop->run(coop_size, [&](int rank) {
    phases_access w = {};
    w.device = device;
    w.thread = {rank, coop_size, VIPER_SYNC_BLOCK, 0}; // on the host all meet alike
    w.launch = launch;
    w.h = launch->h;
    w.solid = device->solid != nullptr;
    if (action == VIPER_BODIES_BEGIN)
      viper_contact_body<VIPER_BODIES_BEGIN, VIPER_XPBD>(&w, contact, launch, body);
    else if (action == VIPER_BODIES_LEAVE)
      viper_contact_body<VIPER_BODIES_LEAVE, VIPER_XPBD>(&w, contact, launch, body);
#define ITERATE(name, NAME, word, traits, cost, text)                                              \
  else if (launch->settings.method == VIPER_##NAME) iterate_body<VIPER_##NAME>(&w, contact, body);
    VIPER_METHODS(ITERATE)
#undef ITERATE
  });
}

/// A part of a substep of all bodies, by teams of `coop_size` (0: as the classes have it).
void act_on_bodies(const viper_device *device, const viper_contact_device *contact,
                   const viper_coops *coops, cuda_threads *coop, int coop_size,
                   viper_bodies_action action, const viper_launch *launch) {
  if (viper_contact_idle(device, contact) ||
      (action != VIPER_BODIES_BEGIN && viper_contact_lost(contact)))
    return;
  for (size_t c = 0; c < coops->n; c++) {
    const viper_coop_class *item = &coops->item[c];
    for (int32_t b = 0; b < item->n_bodies; b++)
      act_on_body(device, contact, coops->body[item->first + b], coop,
                  coop_size ? coop_size : item->coop_size, action, launch);
  }
}

class contact_host {
public:
  contact_host(const viper_model *model, const viper_device *device, const viper_coops *coops,
               cuda_threads *coop)
      : model_(model), device_(device), coops_(coops), coop_(coop) {}
  ~contact_host() { viper_device_model_destroy(device_model_); }

  vb_status create(const viper_joined_setup &setup, viper_contact_rooms rooms, vb_error *error) {
    vb_status status = api_->create(&setup, &device_model_, error);
    if (status)
      return status;
    rooms_ = api_->rooms(device_model_);
    if (rooms_->pairs > 0 && rooms.pairs > 0)
      *rooms_ = rooms;
    viper_block_bytes bytes = viper_device_model_count(device_model_);
    rest_ = aligned_block(rest_block_, bytes.rest, (char)0xff);
    lay(rest_);
    return VB_OK;
  }

  void reset(const double *kept) {
    const viper_kept_arrays arrays = api_->kept(contact_);
    memset(contact_->run, 0, sizeof *contact_->run);
    stepped_ = false;
    api_->keep_from(kept, &arrays);
  }

  void keep(double *out) {
    const viper_kept_arrays arrays = api_->kept(contact_);
    api_->keep_to(&arrays, out);
  }

  /// A substep; again with more room where it was lost.
  void substep(const contact_step &step, bool last) {
    const viper_contact_executor executor = {bodies, phase, sort, end,
                                             pass_bundles ? bundles : nullptr};
    step_ = step;
    api_->take_settings(device_model_, &step.launch.settings);
    for (bool again = true; again;) {
      viper_contact_substep(&executor, this, vb_scene_contact(model_->scene) != nullptr,
                            vb_scene_count(model_->scene, VB_SET_PLANE_DRIVER) > 0,
                            &step.launch.settings, last);
      again = contact_->run->full;
      if (again)
        grow();
    }
    stepped_ = true;
  }

  int times_grown() const { return times_grown_; }

  /// A pass over bundles; empty where there are none.
  std::function<void(const viper_contact_device *bodies, int pass)> pass_bundles;

  void report(double out[VIPER_N_CONTACT]) {
    memset(contact_->report, 0, sizeof *contact_->report);
    if (stepped_)
      phase(this, VIPER_CONTACT_REPORT);
    api_->report(rest_, reinterpret_cast<const char *>(contact_->report), out);
  }

  void forces(const double *node, double *on_body, double *on_plane, double work[2]) {
    viper_contact_lists lists = {};
    if (stepped_)
      api_->lists(contact_, &lists);
    api_->forces(model_, node, &lists, stepped_ ? (size_t)contact_->run->touches : 0, on_body,
                 on_plane, work);
  }

private:
  /// Lays it out, and writes `rest` unless that is null.
  void lay(char *rest) {
    // What must not be read before it is written is no number.
    char *room =
        aligned_block(room_block_, viper_device_model_count(device_model_).room, (char)0xff);
    contact_ = static_cast<const viper_contact_device *>(
        viper_device_model_lay(device_model_, rest, rest_, room));
  }

  void grow() {
    viper_contact_run *run = contact_->run;
    rooms_->pairs = std::max(rooms_->pairs, run->pairs + run->pairs / 2);
    rooms_->touches = std::max(rooms_->touches, run->touches + run->touches / 2);
    run->full = 0;
    times_grown_++;
    lay(nullptr);
  }

  phases_of_contact notes() const {
    return {phases_now, contact_, vb_scene_contact(model_->scene) != nullptr};
  }

  static int bodies(void *self, viper_bodies_action action, const viper_settings *settings) {
    auto *in = static_cast<contact_host *>(self);
    viper_launch launch = in->step_.launch;
    launch.settings = *settings;
    act_on_bodies(in->device_, in->contact_, in->coops_, in->coop_, in->step_.coop_size, action,
                  &launch);
    return 0;
  }

  static int phase(void *self, viper_contact_phase phase) {
    auto *in = static_cast<contact_host *>(self);
    const int coop_size = viper_contact_is_cooperative(phase) ? 10 : 7;
    // In turn in memory of its own, which begins with what is no number, and in the scene's.
    const bool near = viper_contact_is_cooperative(phase) && ++in->times_cooperative_ % 2 == 0;
    char *memory =
        aligned_block(in->memory_, viper_contact_memory(in->contact_, phase), (char)0xff);
    in->coop_->run(coop_size, [&](int rank) {
      viper_coop_thread thread = {rank, coop_size, VIPER_SYNC_BLOCK, 0};
      viper_contact_thread(in->device_, in->contact_, phase, &thread, near ? memory : nullptr);
    });
    if (phases_now)
      in->notes().after_phase(phase);
    return 0;
  }

  template <typename K>
  static void sort_pairs(const K *key, K *key_out, const int32_t *value, int32_t *value_out,
                         int32_t n, int bits) {
    const K mask = bits < (int)(8 * sizeof(K)) ? ((K)1 << bits) - 1 : ~(K)0;
    std::vector<int32_t> order((size_t)n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return (key[a] & mask) < (key[b] & mask); });
    for (int32_t k = 0; k < n; k++) {
      key_out[k] = key[order[k]];
      value_out[k] = value[order[k]];
    }
  }

  static int sort(void *self, viper_contact_sort sort) {
    const viper_contact_device *c = static_cast<contact_host *>(self)->contact_;
    if (sort == VIPER_SORT_SPHERES)
      sort_pairs(c->bucket, c->bucket_out, c->segment, c->segment_out, c->n_segments,
                 c->bucket_bits);
    else if (sort == VIPER_SORT_TOUCHES)
      sort_pairs(c->key, c->key_out, c->number, c->number_out, c->rooms.touches,
                 2 * c->number_bits + 1);
    else
      sort_pairs(c->color, c->color_out, c->number, c->order_out, c->rooms.touches,
                 VIPER_COLOR_BITS);
    if (phases_now)
      static_cast<contact_host *>(self)->notes().after_sort(sort);
    return 0;
  }

  static int bundles(void *self, int pass) {
    auto *in = static_cast<contact_host *>(self);
    in->pass_bundles(in->contact_, pass);
    return 0;
  }

  static int end(void *self, bool last) {
    auto *in = static_cast<contact_host *>(self);
    if (viper_contact_idle(in->device_, in->contact_))
      return 0;
    for (int32_t slot = 0; slot < in->device_->n_slots && !viper_contact_lost(in->contact_); slot++)
      viper_add_work(in->device_, slot);
    viper_contact_end(in->device_, in->contact_, last);
    return 0;
  }

  const viper_contact_upload_api *api_ = &VIPER_NAME(viper_contact_upload);
  const viper_model *model_;
  const viper_device *device_;
  const viper_coops *coops_;
  cuda_threads *coop_;
  viper_device_model *device_model_ = nullptr;
  const viper_contact_device *contact_ = nullptr;
  viper_contact_rooms *rooms_ = nullptr;
  std::vector<char> rest_block_, room_block_;
  char *rest_ = nullptr;
  contact_step step_ = {};
  bool stepped_ = false;
  int times_grown_ = 0, times_cooperative_ = 0;
  std::vector<char> memory_; ///< of a cooperative group
};

} // namespace

#endif
