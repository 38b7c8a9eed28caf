// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/solid.h"

#define VIPER_PRECISION 64
#include "viper/energy/solid.h"

#include <math.h>
#include <string.h>

/// The stiffness of shear, k G, with the coefficient of a circle k = 6 (1 + nu)/(7 + 6 nu) and nu =
/// E/(2 G) - 1.
static double shear_stiffness(const vb_segment *segment) {
  return 3 * segment->young * segment->shear / (segment->shear + 3 * segment->young);
}

void viper_joint_stiffness_of(const vb_segment *segment, double out[6]) {
  memcpy(out, segment->stiffness, 6 * sizeof *out);
  if (segment->model != VB_MATERIAL_SOLID)
    return;
  const bool keeps_volume = out[VB_KV] > 0;
  out[VB_KX] = out[VB_KY] = segment->shear;
  out[VB_KZ] = keeps_volume ? 0 : segment->young;
  out[VB_KV] = keeps_volume ? segment->young : 0;
}

vb_status viper_fill_solid(const vb_segment *segment, double radius, viper_model_segment *out,
                           vb_error *error) {
  if (segment->model != VB_MATERIAL_SOLID)
    return VB_OK;
  const double volume = M_PI * radius * radius * segment->rest_length;
  const double shear = shear_stiffness(segment), kz = segment->stiffness[VB_KZ];
  if (!(kz > shear))
    return vb_bad_input(error,
                        "segment %d: kz is %g Pa; with the material model solid it must be more "
                        "than the stiffness of shear, %g Pa",
                        out->scene_index, kz, shear);
  out->k[VIPER_TERM_STRETCH] = volume * shear;
  out->k[VIPER_TERM_TAPER] /= 2;
  out->k[VIPER_TERM_VOLUME] = 0;
  out->k_solid[VIPER_TERM_AXIAL] = volume * (kz - shear);
  out->k_solid[VIPER_TERM_DILATION] = volume * segment->stiffness[VB_KV];
  out->slant = VIPER_SLANT * (kz - shear) / shear;
  return VB_OK;
}

int32_t viper_count_solid(const viper_model_segment *first, int32_t n) {
  int32_t solid = 0;
  for (int32_t j = 0; j < n; j++)
    solid += first[j].k_solid[VIPER_TERM_AXIAL] > 0;
  return solid == 0 ? VIPER_NONE_SOLID : solid < n ? VIPER_SOME_SOLID : VIPER_ALL_SOLID;
}
