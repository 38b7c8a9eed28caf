// SPDX-License-Identifier: GPL-3.0-or-later
/// All batches of a model, in one precision and one variant, as the sources about batches share
/// them. Only for sources that end in _lanes.c.
#ifndef VIPER_CPU_BATCH_BATCHES_H
#define VIPER_CPU_BATCH_BATCHES_H

#include "viper/cpu/batch/batch.h"
#include "viper/cpu/core/block.h"

#define viper_batches_create     VIPER_NAME(viper_batches_create)
#define viper_batches_destroy    VIPER_NAME(viper_batches_destroy)
#define viper_batches_put        VIPER_NAME(viper_batches_put)
#define viper_batches_get        VIPER_NAME(viper_batches_get)
#define viper_batches_substep    VIPER_NAME(viper_batches_substep)
#define viper_batches_begin      VIPER_NAME(viper_batches_begin)
#define viper_batches_iterate    VIPER_NAME(viper_batches_iterate)
#define viper_batches_end        VIPER_NAME(viper_batches_end)
#define viper_batches_places     VIPER_NAME(viper_batches_places)
#define viper_batch_fill_rest    VIPER_NAME(viper_batch_fill_rest)
#define viper_batch_fill_springs VIPER_NAME(viper_batch_fill_springs)
#define viper_batch_hold_pin     VIPER_NAME(viper_batch_hold_pin)
#define viper_uniform_create     VIPER_NAME(viper_uniform_create)

typedef struct viper_lanes {
  const viper_model *model;
  const viper_body_groups *body_groups;
  viper_method method;
  bool history;           ///< of bdf2
  bool spin;              ///< frames keep their momentum
  viper_uniform *uniform; ///< [n_groups]
  viper_batch *batch;
  int32_t n_batches;
  viper_scratch *scratch; ///< [n_threads]
  viper_scratch *kept;    ///< [n_batches] what lasts from part to part of a substep; else null
  int n_threads;
  viper_scalar gravity[3];
  vb_arena memory; ///< these arrays
} viper_lanes;

/// The most that any group has of each.
typedef struct viper_most {
  size_t nodes, segments, joints, columns;
  size_t diagonals, blocks; ///< of bodies that are not plain chains
  size_t chain_nodes;       ///< of those that are
} viper_most;

/// Takes what methods with the traits `sets` work with from a block (viper_take).
static inline void viper_take_fields(viper_scratch *s, char *block, size_t *at, viper_most n,
                                     unsigned sets) {
#define TAKE(name, type, place, set, spare)                                                        \
  if (sets & (set))                                                                                \
    s->name = viper_take(block, at, n.place##s, sizeof *s->name);
  VIPER_METHOD_FIELDS(TAKE)
#undef TAKE
  if (sets & VIPER_NOTES) {
    s->axis = viper_take(block, at, n.segments, sizeof *s->axis);
    s->hat_axes = viper_take(block, at, VIPER_CLOSED_FORMS ? n.segments : 0, sizeof *s->hat_axes);
    s->a_h2 = viper_take(block, at, VIPER_CLOSED_FORMS ? n.nodes : 0, sizeof *s->a_h2);
  }
}

/// A thread's scratch for batch `i`, with what is kept for that.
static inline viper_scratch viper_scratch_for(const viper_lanes *l, int32_t i, int thread) {
  viper_scratch s = l->scratch[thread];
  if (!l->kept)
    return s;
#define LAST(name, type, place, set, spare)                                                        \
  if ((set)&VIPER_LASTING)                                                                         \
    s.name = l->kept[i].name;
  VIPER_OLD_FIELDS(LAST)
  VIPER_METHOD_FIELDS(LAST)
#undef LAST
  return s;
}

// Of viper_lanes_api: memory (batch_memory_lanes.c), state in and out (batch_data_lanes.c).
vb_status viper_batches_create(const viper_model *model, const viper_body_groups *body_groups,
                               const viper_boundary *boundary, const viper_settings *settings,
                               bool split_substep, void **out, vb_error *error);
void viper_batches_destroy(void *self);
void viper_batches_put(void *self, const viper_state *state);
void viper_batches_get(const void *self, viper_state *state);
bool viper_batches_substep(void *self, const viper_settings *settings, const viper_advance *t);
void viper_batches_begin(void *self, const viper_settings *settings, const viper_advance *t);
void viper_batches_iterate(void *self, const viper_settings *settings, const viper_advance *t);
bool viper_batches_end(void *self, const viper_settings *settings, const viper_advance *t);
void viper_batches_places(void *self, viper_place *place, viper_place *frame);

/// Writes the rest data of each lane's body of the model `whole`.
void viper_batch_fill_rest(const viper_model *whole, viper_batch *batch);
/// Writes what block descent makes of the rest data of `n` nodes of chains, where it has room.
void viper_batch_fill_springs(viper_batch *batch, size_t n);
/// Writes where a pin holds its node (center, scale) or frame in one lane; `body` is the pin's.
void viper_batch_hold_pin(viper_batch *batch, const viper_model_pin *pin,
                          const viper_model_body *body, int lane, const double target[4]);

/// Makes the scalars of a uniform group from its model; false for want of memory. They are one
/// block that begins with node_inertia, freed with it.
bool viper_uniform_create(const viper_model *model, viper_uniform *out);

#endif
