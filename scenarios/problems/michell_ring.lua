local frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }
local ratio = 0.8 -- of the twisting stiffness to that of bending

return {
  title = "Michell's ring: a closed rod that leaves its plane as it is twisted",
  text = [[A thin rod of length L that is straight at rest, with the bending stiffness B in any plane and the twisting
stiffness C = 0.8 B, is bent to a circle. Its ends are turned against each other by an angle, the twist, and joined. It
neither stretches nor shears. From which twist on is the plane circle no longer stable?]],
  formulas = { "twist = 2 pi sqrt(3) B/C" },
  units = "lengths in L, angles in rad",
  groups = { "C/B = 0.8" },
  models = { "bending and twist together", "a closed rod, or one whose two ends are clamped at one place" },
  made = "closed form (Michell 1889); beside elements (the second variation). A circle of such a rod can swing about its "
    .. "clamp at no cost, so the linearized problem of collocation is singular at any twist",
  sees = { "bending", "twist", "swapped" },
  cases = {
    {
      name = "twist", elements = 64, collocated = false,
      rod = {
        length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = ratio }, bent = { 2 * math.pi, 0, 0 }, twist = 1,
        start = { frame = frame, held = "xyzuvw" }, finish = { frame = frame, held = "xyzuvw" }, middle_plane = true,
      },
      ask = {
        {
          name = "twist", what = "least twist at which the plane circle is unstable", critical = { 8, 18 },
          exact = 2 * math.pi * math.sqrt(3) / ratio,
        },
      },
    },
  },
}
