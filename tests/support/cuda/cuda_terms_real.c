// SPDX-License-Identifier: GPL-3.0-or-later
/// See cuda_terms_set.h. Compiled once per precision.
#include "cuda/cuda_terms.h"
#include "cuda/cuda_terms_set.h"

static viper_scalar number(unsigned long long *seed, double from, double to) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (viper_scalar)(from + (to - from) * (double)(*seed >> 11) * 0x1p-53);
}

static viper_vec3 vector(unsigned long long *seed, double size) {
  return viper_vec3_make(number(seed, -size, size), number(seed, -size, size),
                         number(seed, -size, size));
}

static viper_quat rotation(unsigned long long *seed) {
  viper_quat q = viper_quat_make(number(seed, -1, 1), number(seed, -1, 1), number(seed, -1, 1),
                                 number(seed, -1, 1));
  return viper_quat_turn(q, vector(seed, 0));
}

static void random_input(void *out, unsigned long long *seed) {
  terms_input *in = out;
  viper_scalar flips[2] = {number(seed, -1, 1), number(seed, -1, 1)};
  in->segment_rest =
      (viper_segment_rest){number(seed, 5, 50), number(seed, 1, 9), number(seed, 1, 9),
                           number(seed, 1e-4, 1e-3), number(seed, 1, 90)};
  in->segment = (viper_segment_state){
      vector(seed, 1),      vector(seed, 1), number(seed, 0.5, 2),
      number(seed, 0.5, 2), rotation(seed),  {number(seed, 0.5, 2), number(seed, 0.5, 2)}};
  in->joint_rest = (viper_joint_rest){
      .half = rotation(seed),
      .flip_j = flips[0] < 0 ? -1 : 1,
      .flip_k = flips[1] < 0 ? -1 : 1,
      .omega_rest = vector(seed, 3),
      .inv_lm = number(seed, 5, 50),
      .inv_l_j = number(seed, 5, 50),
      .inv_l_k = number(seed, 5, 50),
      .k_bend = number(seed, 1e-4, 1e-3),
      .k_twist = number(seed, 1e-4, 1e-3),
      .k_surface_bend = number(seed, 1e-8, 1e-7),
      .k_volume_bend = number(seed, 1e-4, 1e-2),
  };
  in->joint =
      (viper_joint_state){number(seed, 0.5, 2), number(seed, 0.5, 2),
                          number(seed, 0.5, 2), rotation(seed),
                          rotation(seed),       {{number(seed, 0, 1), 1}, {1, number(seed, 0, 1)}},
                          flips[0] < flips[1],  {number(seed, 0, 0.95), number(seed, 1e-4, 1e-3)}};
}

static void by_c(const void *in, int n, void *out) {
  for (int k = 0; k < n; k++)
    terms_all((const terms_input *)in + k, (viper_scalar *)out + (size_t)k * TERMS_OUTPUT);
}

const terms_set VIPER_NAME(terms) = {
    .bytes_of_input = sizeof(terms_input),
    .bytes_of_output = TERMS_OUTPUT * sizeof(viper_scalar),
    .n_numbers = TERMS_OUTPUT,
    .random = random_input,
    .by_c = by_c,
};
