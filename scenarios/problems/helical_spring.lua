local turns, slope = 4, 0.15
local rate = 2 * math.pi * turns -- of the Darboux vector, per length
local turn = (slope - math.pi / 2) / 2

return {
  title = "Helical spring: a coiled rod pulled along its axis",
  text = [[A thin rod of length L rests as a helix of 4 turns whose tangent rises by 0.15 rad along the axis, z. Its
curvature is 8 pi cos(0.15)/L about u, and its twist 8 pi sin(0.15)/L about w. It is clamped at the origin, with u and w in
the plane of x and z and v along y. A force of 50 B/L^2 along z pulls at its other end, which is free to turn, and at which
the force acts at the center of the section. The rod neither stretches nor shears; it bends with B and twists with
B/1.3. Where is the end?]],
  formulas = { "kappa = 8 pi cos(0.15)/L", "tau = 8 pi sin(0.15)/L", "u(0) . e_z = cos(0.15), w(0) . e_z = sin(0.15)" },
  units = "lengths in L, forces in B/L^2",
  groups = { "F L^2/B = 50", "C/B = 1/1.3", "turns = 4", "slope = 0.15 rad" },
  models = { "a curved and twisted rest shape", "bending and twist together" },
  made = "collocation of order 6 on an adapted mesh; beside elements",
  sees = { "bending", "twist", "swapped", "curvature", "units" },
  cases = {
    {
      name = "50", elements = 256,
      rod = {
        length = 1, curvature = { rate * math.cos(slope), 0, rate * math.sin(slope) },
        stiffness = { bend_u = 1, bend_v = 1, twist = 1 / 1.3 },
        start = { frame = { math.cos(turn), 0, math.sin(turn), 0 }, held = "xyzuvw" }, force = { 0, 0, 50 },
      },
      ask = {
        { name = "x", what = "x of the end", at = 1, component = "x" },
        { name = "y", what = "y of the end", at = 1, component = "y" },
        { name = "z", what = "z of the end", at = 1, component = "z" },
      },
    },
  },
}
