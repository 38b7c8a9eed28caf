local function case(name, turns, at)
  return {
    name = name,
    rod = {
      length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = 1 },
      start = { frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, held = "xyzuvw" },
      moment = { 0, -2 * math.pi * turns, 0 },
    },
    ask = {
      { name = "x", what = "x of the tip", at = 1, component = "x", exact = 0 },
      { name = "z", what = "z of the tip", at = 1, component = "z", exact = 0 },
      {
        name = "top", what = "z where the first turn is at its height, at s = L/" .. (turns == 1 and 2 or 4), at = at,
        component = "z", exact = 1 / (math.pi * turns),
      },
    },
  }
end

return {
  title = "Roll-up: a moment bends a rod to circles",
  text = [[A thin straight rod of length L lies along x and is clamped at the origin. A moment at its tip, about -y, bends it
to one full circle, or to two coincident ones, without contact with itself. The rod neither stretches nor shears; its
bending stiffness is B.]],
  formulas = { "M = 2 pi B/L for one turn, 4 pi B/L for two" },
  units = "lengths in L, moments in B/L",
  groups = { "M L/B = 2 pi, 4 pi" },
  models = { "bending by any angle", "a moment of fixed direction" },
  made = "closed form; beside collocation and elements",
  sees = { "bending", "units" },
  cases = { case("once", 1, 0.5), case("twice", 2, 0.25) },
}
