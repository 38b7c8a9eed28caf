// SPDX-License-Identifier: GPL-3.0-or-later
/// Plain chains: how their elements, which may be sorted by color, follow from each other.
#ifndef VIPER_BACKEND_CHAIN_ORDER_H
#define VIPER_BACKEND_CHAIN_ORDER_H

#include "viper/model/model.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How segments or joints of a chain lie in a model: number `p` along it is element first[p % n] +
/// p / n. Firsts rise, and those there are none of are larger than any element.
typedef struct viper_chain_order {
  int32_t first[3];
  int32_t n;
} viper_chain_order;

static inline int32_t viper_chain_at(const viper_chain_order *order, int32_t p) {
  return order->first[p % order->n] + p / order->n;
}

static inline int32_t viper_chain_number(const viper_chain_order *order, int32_t element) {
  const int32_t second = element >= order->first[1], third = element >= order->first[2];
  int32_t first = second ? order->first[1] : order->first[0];
  first = third ? order->first[2] : first;
  return (element - first) * order->n + second + third;
}

/// Whether a body is a plain chain whose nodes and elements lie in its direction, all with the same
/// terms, one on the outer scales among them; and in what order its elements are.
bool viper_chain_find(const viper_model *model, int32_t body, viper_chain_order *segments,
                      viper_chain_order *joints);

#ifdef __cplusplus
}
#endif

#endif
