local special = include("special_functions")
local exact = 9 / 4 * special.bessel_zero() ^ 2

return {
  title = "Greenhill's height: a column that buckles under its own weight",
  text = [[A thin straight rod of length L stands along z, clamped at its lower end and free at its upper one. Its weight w per
length acts along -z. It bends with B in any plane, and neither stretches nor shears. At which w does it buckle?]],
  formulas = { "B theta'' + w (L - s) theta = 0", "w L^3/B = 9/4 j^2, j the first zero of J of the order -1/3" },
  units = "lengths in L, forces in B/L^2",
  groups = { "w L^3/B" },
  models = { "bending under compression", "weight" },
  made = "closed form by a Bessel function (Greenhill 1881); beside collocation and elements",
  sees = { "bending", "weight", "units" },
  cases = {
    {
      name = "weight", elements = 32,
      rod = {
        length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = 1 }, start = { held = "xyzuvw" }, weight = { 0, 0, -1 },
      },
      ask = {
        { name = "weight", what = "least weight per length at which the column buckles", critical = { 4, 12 }, exact = exact },
      },
    },
  },
}
