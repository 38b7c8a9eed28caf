// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of contact's phases (phases.h) from what the kernels leave behind, where the host can read
/// it.
#ifndef VB_TESTS_SUPPORT_PHASES_CONTACT_HPP
#define VB_TESTS_SUPPORT_PHASES_CONTACT_HPP

#include "cuda/phases_contact.h"
#include "viper/cuda/contact/device.h"

#include <cstdlib>
#include <cstring>

namespace {

/// What is noted, from an instance whose model has `n_bodies` bodies.
class phases_of_contact {
public:
  phases_of_contact(phases *log, const viper_contact_device *c, bool between)
      : c_(c), page_{log, c->n_bodies, 0}, between_(between) {}

  void after_phase(viper_contact_phase phase) {
    if (phase == VIPER_CONTACT_GATHER)
      note_gathered();
    else if (phase == VIPER_CONTACT_PAIRS)
      note_pairs();
    else if (phase == VIPER_CONTACT_ARRANGE)
      note_colored();
    else if (phase == VIPER_CONTACT_PASS || phase == VIPER_CONTACT_PASS_HAT)
      note_pass();
    if (phase == (between_ ? VIPER_CONTACT_ARRANGE : VIPER_CONTACT_GATHER))
      note_nodes();
  }

  void after_sort(viper_contact_sort sort) {
    if (sort == VIPER_SORT_TOUCHES)
      note_found();
  }

private:
  void note_gathered() {
    for (int32_t i = 0; i < c_->n_nodes; i++)
      phases_gathered(&page_, &c_->node[i]);
    phases_finish(&page_, PHASES_GATHERED);
  }

  /// In the order of their segments; the kernels note them in any.
  void note_pairs() {
    int32_t n = c_->count->n_pairs < c_->rooms.pairs ? c_->count->n_pairs : c_->rooms.pairs;
    auto *pair = static_cast<viper_segment_pair *>(malloc(((size_t)n + 1) * sizeof *c_->pair));
    for (int32_t k = 0; k < n; k++)
      pair[k] = c_->pair[k];
    qsort(pair, (size_t)n, sizeof *pair, compare);
    for (int32_t k = 0; k < n; k++) {
      phases_number(&page_, pair[k].i);
      phases_number(&page_, pair[k].j);
    }
    free(pair);
    phases_finish(&page_, PHASES_PAIRS);
  }

  static int compare(const void *x, const void *y) {
    auto *a = static_cast<const viper_segment_pair *>(x);
    auto *b = static_cast<const viper_segment_pair *>(y);
    return a->i != b->i ? (a->i > b->i) - (a->i < b->i) : (a->j > b->j) - (a->j < b->j);
  }

  void note_found() {
    viper_scalar speed = 0;
    std::memcpy(&speed, &c_->count->speed, sizeof speed); // the low bytes
    phases_number(&page_, (double)speed);
    for (int32_t r = 0; r < c_->count->n_touches; r++)
      phases_touch(&page_, &c_->found[c_->number_out[r]], 4);
    phases_finish(&page_, PHASES_FOUND);
  }

  void note_colored() {
    for (int32_t k = 0; k < c_->count->n_touches; k++) {
      phases_number(&page_, c_->color_out[k]);
      phases_touch(&page_, &c_->between[k], 4);
    }
    phases_finish(&page_, PHASES_COLORED);
  }

  void note_nodes() {
    for (int32_t i = 0; i < c_->n_nodes; i++)
      if (c_->active[i])
        phases_number(&page_, i);
    phases_number(&page_, -1);
    for (int32_t i = 0; i < c_->n_nodes; i++)
      if (c_->active[i] & VIPER_WATCHED_SCALE)
        phases_number(&page_, i);
    phases_number(&page_, -1);
    for (int32_t k = 0; k < c_->n_nodes * c_->n_planes; k++)
      if (k % c_->n_planes < c_->n_rests[k / c_->n_planes]) {
        phases_number(&page_, c_->rest[k].which);
        phases_touch(&page_, &c_->rest[k], 1);
      }
    phases_finish(&page_, PHASES_NODES);
  }

  void note_pass() {
    for (int32_t k = 0; k < c_->count->n_touches; k++)
      phases_pushed(&page_, &c_->between[k]);
    for (int32_t k = 0; k < c_->n_nodes * c_->n_planes; k++)
      if (k % c_->n_planes < c_->n_rests[k / c_->n_planes])
        phases_pushed(&page_, &c_->rest[k]);
    for (int32_t i = 0; i < c_->n_nodes; i++)
      if (c_->active[i] & VIPER_WATCHED_SCALE)
        phases_number(&page_, (double)c_->limit[i]);
    for (int32_t i = 0; i < c_->n_nodes; i++)
      if (c_->active[i])
        phases_moved(&page_, &c_->node[i]);
    phases_finish(&page_, PHASES_PASSED);
  }

  const viper_contact_device *c_;
  phases_page page_;
  bool between_;
};

} // namespace

#endif
