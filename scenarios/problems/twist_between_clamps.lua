local special = include("special_functions")
local ratio = 0.8 -- of the twisting stiffness to that of bending

return {
  title = "Twist between clamps: a straight rod that buckles as its ends are turned",
  text = [[A thin straight rod of length L lies along z between two clamps. One of them can move along z, so that nothing pulls or
presses, and is turned about z. The rod bends with B in any plane, twists with C = 0.8 B, and neither stretches nor shears.
At which angle does it buckle?]],
  formulas = { "angle = M L/C", "M L/B = 2 x = 8.9868, tan x = x" },
  units = "lengths in L, angles in rad",
  groups = { "C/B = 0.8", "M L/B" },
  models = { "bending and twist together" },
  made = "closed form (Greenhill 1883, Love 1927); beside collocation and elements",
  sees = { "bending", "twist", "swapped" },
  cases = {
    {
      name = "angle", elements = 32,
      rod = {
        length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = ratio }, twist = 1,
        start = { held = "xyzuvw" }, finish = { position = { 0, 0, 1 }, held = "xyuvw" },
      },
      ask = {
        {
          name = "angle", what = "least angle at which the straight rod buckles", critical = { 9, 13 },
          exact = 2 * special.tangent_root() / ratio,
        },
      },
    },
  },
}
