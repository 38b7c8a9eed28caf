// SPDX-License-Identifier: GPL-3.0-or-later
/// A boundary-value problem of statics: one rod of uniform section with shear and extension
/// (Reissner 1981, Simo 1985), held or loaded at its two ends, under its own weight. Plain data,
/// from which collocation.h and elements.h each compute, by equations of their own.
///
/// A section has the frame [u v w], w along the rod at rest. Strains are v = R^T r' (e_z at rest)
/// and the curvatures k = axial(R^T R'), both along u, v, w; forces and moments are stiffness times
/// strain. Units are any consistent set; the files of problems have none.
#ifndef COSSERAT_ROD_H
#define COSSERAT_ROD_H

#include <stdbool.h>

/// Components of an end that are held: of the position along x, y, z; of the frame about the axes
/// u, v, w of the frame that holds it.
enum {
  COSSERAT_X = 1,
  COSSERAT_Y = 2,
  COSSERAT_Z = 4,
  COSSERAT_U = 8,
  COSSERAT_V = 16,
  COSSERAT_W = 32
};

/// An end of the rod. What is not held is free.
typedef struct cosserat_end {
  double position[3];
  double frame[4]; ///< unit quaternion (w, x, y, z)
  unsigned held;   ///< of the components above
} cosserat_end;

typedef struct cosserat_rod {
  double length;
  double flexibility[6]; ///< inverse stiffness: shear along u and v, stretch, bending about u and
                         ///< v, twist. 0 is rigid, which elements approach (elements.h)
  double curvature[3];   ///< at rest, along u, v, w; the same everywhere
  bool string;           ///< whether it resists stretch alone; its ends are held in place then
  cosserat_end start, finish;
  // What grows with the load factor: all of it is there at the factor 1.
  double weight[3];  ///< force per length at rest
  double force[3];   ///< on what is free at the finish, in fixed directions
  double moment[3];  ///< likewise
  double twist;      ///< angle by which the finish's frame is turned about its w
  double bent[3];    ///< curvature of the state where the search begins; that at rest is usual
  bool middle_plane; ///< whether the middle keeps its z: takes away a motion that costs nothing
} cosserat_rod;

/// How the loads of a rod in motion go with time.
enum {
  COSSERAT_HOLD,  ///< all of them at once, which stay
  COSSERAT_PULSE, ///< sin^2(pi t/pulse_time), and nothing after it
  COSSERAT_HAT    ///< to the whole in half of pulse_time, and back to nothing
};

/// A motion from rest, of a rod whose stiffnesses are all finite and whose loads of rod.h have the
/// course of time `course`. Rotary inertia does not depend on a section's area.
typedef struct cosserat_motion {
  double mass;       ///< per length
  double inertia[3]; ///< per length, about u, v, w
  int course;        ///< of loads
  double pulse_time; ///< of the loads; that in which the start is spun up
  double spin[3]; ///< angular velocity to which the start, which is clamped, is spun up, in fixed
                  ///< axes: by the angle spin T (x^2/2 + (cos(2 pi x) - 1)/(4 pi^2)), x = t/T
                  ///< up to 1, and then at that rate (Simo and Vu-Quoc 1986)
  double steps;   ///< of the coarsest computation by elements up to a time of 1
} cosserat_motion;

/// A number, and by how much it may be off by what its computation says of itself.
typedef struct cosserat_value {
  double value;
  double error;
} cosserat_value;

/// The position, or of a rod in motion the direction u of the section, at `at` times the length.
typedef struct cosserat_place {
  double at;     ///< 0 to 1, a multiple of 1/4, which is a point of every mesh
  int component; ///< 0, 1, 2: x, y, z of the position; 3, 4, 5 of u
  double time;   ///< of a rod in motion
} cosserat_place;

#endif
