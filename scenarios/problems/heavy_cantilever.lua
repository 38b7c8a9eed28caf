local function case(weight)
  return {
    name = string.format("%g", weight),
    rod = {
      length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = 1 },
      start = { frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, held = "xyzuvw" },
      weight = { 0, 0, -weight },
    },
    ask = {
      { name = "x", what = "x of the tip", at = 1, component = "x" },
      { name = "z", what = "z of the tip", at = 1, component = "z" },
    },
  }
end

return {
  title = "Heavy cantilever: a clamped rod that its weight bends",
  text = [[A thin straight rod of length L lies along x and is clamped at the origin. Its weight w per length acts along
-z. The rod neither stretches nor shears; its bending stiffness is B. Where is its tip?]],
  formulas = { "B theta'' = w (L - s) cos(theta)", "theta(0) = 0", "theta'(L) = 0", "x' = cos(theta), z' = -sin(theta)" },
  units = "lengths in L, forces in B/L^2",
  groups = { "w L^3/B = 1, 5, 20" },
  models = { "bending by large angles", "weight" },
  made = "collocation of order 6 on an adapted mesh; beside elements",
  sees = { "bending", "weight", "units" },
  cases = { case(1), case(5), case(20) },
}
