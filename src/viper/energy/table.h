// SPDX-License-Identifier: GPL-3.0-or-later
/// The list of the elastic energy's terms, from which numbers, storage, names and loops follow. A
/// new term is a header (like section.h), its names here, and its include in terms.h. Its W and dW
/// are finite where all rest data are 0, as they are in SIMD lanes without an element.
#ifndef VIPER_ENERGY_TABLE_H
#define VIPER_ENERGY_TABLE_H

/// The terms of a segment and of a joint: X(name, NAME). Models store K, and solvers report
/// energies, in this order.
#define VIPER_SEGMENT_TERMS(X)                                                                     \
  X(stretch, STRETCH) X(section, SECTION) X(taper, TAPER) X(volume, VOLUME)
#define VIPER_JOINT_TERMS(X)                                                                       \
  X(bend, BEND) X(twist, TWIST) X(surface_bend, SURFACE_BEND) X(volume_bend, VOLUME_BEND)

/// What segments of the material model solid have besides (solid.h): X(name, NAME, SHOWN), SHOWN
/// being the term above whose energy and residual they count into.
#define VIPER_SOLID_TERMS(X) X(axial, AXIAL, STRETCH) X(dilation, DILATION, VOLUME)

/// The same terms by what block descent (method/newton.h) makes of them: of a segment, those that
/// act by its direction (viper_weight), those that are springs between its scales, and others; of a
/// joint, those that act by its Darboux vector (viper_power), the one that is a spring between its
/// scales, and others. Others need nothing but their W, dW and second derivatives,
/// viper_NAME_second (second.h), which of the rest follow from weight and power; the rest is
/// written for speed.
#define VIPER_DIRECTION_TERMS(X) X(stretch, STRETCH) X(volume, VOLUME)
#define VIPER_SCALE_TERMS(X)     X(section, SECTION) X(taper, TAPER)
#define VIPER_OTHER_SEGMENT_TERMS(X)
#define VIPER_TURN_TERMS(X)      X(bend, BEND) X(twist, TWIST) X(volume_bend, VOLUME_BEND)
#define VIPER_LAPLACIAN_TERMS(X) X(surface_bend, SURFACE_BEND)
#define VIPER_OTHER_JOINT_TERMS(X)

/// Unknowns of an element (element.h), as bits: of a segment's end, of a joint's side.
#define VIPER_END_CENTER(side)  (0x7 << 4 * (side))
#define VIPER_END_SCALE(side)   (0x8 << 4 * (side))
#define VIPER_JOINT_FRAME(side) (0x7 << (3 + 3 * (side)))
enum {
  VIPER_SEGMENT_CENTERS = VIPER_END_CENTER(0) | VIPER_END_CENTER(1),
  VIPER_SEGMENT_SCALES = VIPER_END_SCALE(0) | VIPER_END_SCALE(1),
  VIPER_SEGMENT_FRAME = 0x7 << 8,
  VIPER_JOINT_OUTER = 0x5, ///< the scales before and after it
  VIPER_JOINT_SCALE = 0x2,
  VIPER_JOINT_FRAMES = VIPER_JOINT_FRAME(0) | VIPER_JOINT_FRAME(1)
};

/// Where a term's K is among those of its element.
#define VIPER_NUMBER(name, NAME)              VIPER_TERM_##NAME,
#define VIPER_SOLID_NUMBER(name, NAME, SHOWN) VIPER_TERM_##NAME,
enum { VIPER_SEGMENT_TERMS(VIPER_NUMBER) VIPER_N_SEGMENT_TERMS };
enum { VIPER_SOLID_TERMS(VIPER_SOLID_NUMBER) VIPER_N_SOLID_TERMS };
enum { VIPER_JOINT_TERMS(VIPER_NUMBER) VIPER_N_JOINT_TERMS };
#undef VIPER_SOLID_NUMBER
#undef VIPER_NUMBER

/// Which segments of a body are of the material model solid.
enum { VIPER_NONE_SOLID, VIPER_SOME_SOLID, VIPER_ALL_SOLID };

#define VIPER_ONE_MORE(name, NAME) +1
enum {
  VIPER_N_TERMS = VIPER_N_SEGMENT_TERMS + VIPER_N_JOINT_TERMS,
  VIPER_N_OTHER_SEGMENT_TERMS = 0 VIPER_OTHER_SEGMENT_TERMS(VIPER_ONE_MORE),
  VIPER_N_OTHER_JOINT_TERMS = 0 VIPER_OTHER_JOINT_TERMS(VIPER_ONE_MORE),
  VIPER_N_DESCENT_SEGMENT_TERMS = VIPER_N_OTHER_SEGMENT_TERMS VIPER_DIRECTION_TERMS(VIPER_ONE_MORE)
      VIPER_SCALE_TERMS(VIPER_ONE_MORE),
  VIPER_N_DESCENT_JOINT_TERMS = VIPER_N_OTHER_JOINT_TERMS VIPER_TURN_TERMS(VIPER_ONE_MORE)
      VIPER_LAPLACIAN_TERMS(VIPER_ONE_MORE)
};
#undef VIPER_ONE_MORE

#ifdef __cplusplus
#define VIPER_ASSERT(condition, text) static_assert(condition, text)
#else
#define VIPER_ASSERT(condition, text) _Static_assert(condition, text)
#endif
VIPER_ASSERT((int)VIPER_N_DESCENT_SEGMENT_TERMS == (int)VIPER_N_SEGMENT_TERMS,
             "each segment term is in one list of block descent, too");
VIPER_ASSERT((int)VIPER_N_DESCENT_JOINT_TERMS == (int)VIPER_N_JOINT_TERMS,
             "each joint term is in one list of block descent, too");

#endif
