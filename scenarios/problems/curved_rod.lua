local function case(load)
  return {
    name = string.format("%g", load),
    rod = {
      length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = 0.8 }, curvature = { 0, -math.pi, 0 },
      start = { frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, held = "xyzuvw" }, force = { load, 0.2 * load, 0 },
    },
    ask = {
      { name = "x", what = "x of the tip", at = 1, component = "x" },
      { name = "y", what = "y of the tip", at = 1, component = "y" },
      { name = "z", what = "z of the tip", at = 1, component = "z" },
    },
  }
end

return {
  title = "Naturally curved rod: half a circle that is pulled open and aside",
  text = [[A thin rod of length L is half a circle at rest, in the plane of x and z: it begins at the origin along x, where it is
clamped, and rises to (0, 2 L/pi). A force F along x and F/5 along y, in fixed directions, pulls at its tip. It bends with B in any
plane, twists with C = 0.8 B, and neither stretches nor shears. Where is its tip?]],
  formulas = { "m = B (k - k0) + C twist, k0 = pi/L", "m' + r' x F = 0" },
  units = "lengths in L, forces in B/L^2",
  groups = { "F L^2/B = 2, 10", "C/B = 0.8" },
  models = { "curvature at rest", "bending and twist together" },
  made = "collocation and elements",
  sees = { "bending", "twist", "curvature", "units" },
  cases = { case(2), case(10) },
}
