local ratio = 0.8 -- of the twisting stiffness to that of bending

return {
  title = "Twist under tension: a pulled straight rod that hockles as its ends are turned",
  text = [[A thin straight rod of length L lies along z between two clamps. One of them can move along z, is pulled along z by the
force T = psi B/L^2, and is turned about z by the angle psi. The rod bends with B in any plane, twists with C = 0.8 B, and neither
stretches nor shears. At which psi does it buckle sideways, to a coil?]],
  formulas = { "M = C psi/L", "B u'''' - T u'' and M v''' of two directions u, v in balance, clamped at both ends" },
  units = "lengths in L, angles in rad",
  groups = { "C/B = 0.8", "T L^2/B = psi" },
  models = { "bending and twist together", "tension" },
  made = "collocation and elements",
  sees = { "bending", "twist", "swapped" },
  cases = {
    {
      name = "angle", elements = 32,
      rod = {
        length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = ratio }, twist = 1, force = { 0, 0, 1 },
        start = { held = "xyzuvw" }, finish = { position = { 0, 0, 1 }, held = "xyuvw" },
      },
      ask = { { name = "angle", what = "least angle at which the straight rod buckles", critical = { 11, 18 } } },
    },
  },
}
