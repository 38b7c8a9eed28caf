// SPDX-License-Identifier: GPL-3.0-or-later
#include "description.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SET(tag)     (UINT64_C(1) << (tag))

static const vb_field fields[NH_FIELD_COUNT] = {
    {"position", VB_AT_NODE, 3, "m", "position of each node"},
    {"velocity", VB_AT_NODE, 3, "m s-1", "velocity of each node"},
    {"mass", VB_AT_NODE, 1, "kg",
     "lumped mass of each node (with elements=quadratic, middles of edges have theirs beside)"},
    {"element_volume", VB_AT_TETRAHEDRON, 1, "m3", "current volume of each tetrahedron"},
    {"dilation", VB_AT_TETRAHEDRON, 1, "1", "current volume over rest volume of each tetrahedron"},
    {"deformation", VB_AT_TETRAHEDRON, 9, "1",
     "deformation gradient F of each tetrahedron, row by row (the mean of its points)"},
    {"stress", VB_AT_TETRAHEDRON, 9, "Pa",
     "first Piola stress of each tetrahedron, row by row (the mean of its points)"},
    {"volume", VB_AT_SCENE, 1, "m3", "current volume of all tetrahedra"},
    {"dilation_range", VB_AT_SCENE, 2, "1", "least and greatest dilation of a tetrahedron"},
    {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum"},
    {"angular_momentum", VB_AT_SCENE, 3, "kg m2 s-1", "angular momentum about the origin"},
    {"newton_iterations", VB_AT_SCENE, 1, "1", "Newton iterations of the latest step"},
    {"newton_residuals", VB_AT_SCENE, 3, "1",
     "relative residuals of the latest step's last three iterations, the last one last"},
    {"projected", VB_AT_SCENE, 1, "1",
     "tetrahedra whose curvature was projected in the latest step's last iteration"},
    {"shift", VB_AT_SCENE, 1, "N m-1",
     "what was added to the matrix's diagonal in the latest step's last iteration"},
    {"vertices", VB_AT_VERTEX, 3, "m", "vertices of the surface that elements carry"},
    {"enclosed_volume", VB_AT_SCENE, 1, "m3", "volume that this surface encloses"},
};

static const vb_energy energies[] = {
    {"elastic", "stable Neo-Hookean, 0 at rest, or at the active rest shape", true},
    {"kinetic", "of the nodes", false},
    {"gravity", "potential of gravity, 0 at the origin", true},
};

static const vb_option_info options[] = {
    {"dynamics", "implicit_euler", "implicit_euler|static", 0, 0, false, false,
     "implicit_euler: backward Euler; static: each step is an equilibrium without inertia"},
    {"elements", "linear", "linear|quadratic", 0, 0, false, false,
     "linear: four nodes, which lock where nearly incompressible; quadratic: with nodes of the "
     "solver's own in the middle of edges"},
    {"mass", "lumped", "lumped|consistent", 0, 0, false, false, "mass matrix"},
    {"projection", "adaptive", "always|adaptive|never", 0, 0, false, true,
     "whether element Hessians are projected to positive semi-definite; adaptive: in iterations "
     "whose matrix is not positive definite without"},
    {"iterations", "50", NULL, 1, 1e6, true, true, "Newton iterations per step, at most"},
    {"tolerance", "1e-10", NULL, 0, 1, false, true,
     "a step ends below this relative residual; 0: only at rounding"},
    {"threads", "0", NULL, 0, 1024, true, true, "threads; 0: one per processor"},
};

static const char *const phases[] = {"elements", "gather", "factorize", "solve", "search"};

static const vb_solver_description description = {
    .name = "neohookean",
    .long_name = "stable Neo-Hookean tetrahedra (Smith et al. 2018)",
    .sets = SET(VB_SET_WORLD) | SET(VB_SET_BODY) | SET(VB_SET_NODE) | SET(VB_SET_PIN) |
            SET(VB_SET_DRIVER) | SET(VB_SET_LOAD) | SET(VB_SET_CURVE) | SET(VB_SET_KEY) |
            SET(VB_SET_TETRAHEDRON) | SET(VB_SET_SURFACE_VERTEX) | SET(VB_SET_TRIANGLE) |
            SET(VB_SET_PARENT) | SET(VB_SET_ACTIVATION),
    .fields = fields,
    .n_fields = COUNT(fields),
    .energies = energies,
    .n_energies = COUNT(energies),
    .options = options,
    .n_options = COUNT(options),
    .phases = phases,
    .n_phases = COUNT(phases),
    .has_residual = true,
    .has_reactions = true,
};

const vb_solver_description *nh_describe(void) {
  return &description;
}
