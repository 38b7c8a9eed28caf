local special = include("special_functions")

local function case(name, start, finish, exact)
  return {
    name = name, elements = 32,
    rod = {
      length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = 1 },
      start = { held = start }, finish = finish and { position = { 0, 0, 1 }, held = finish }, force = { 0, 0, -1 },
    },
    ask = {
      {
        name = "load", what = "least compressive force at which the column buckles", critical = { 0.6 * exact, 1.5 * exact },
        exact = exact,
      },
    },
  }
end

return {
  title = "Euler's columns: the four loads at which a straight rod buckles",
  text = [[A thin straight rod of length L stands along z and is pressed by a force P along -z at its upper end. It bends with
B in any plane, and neither stretches nor shears. Its ends are held in one of four methods: clamped and free; hinged and
hinged; clamped and hinged; clamped and clamped. An upper end that is held can move along z; a hinge lets the rod turn, but
at one end not about its own axis. At which least P does it buckle?]],
  formulas = { "B theta'' + P theta = V", "P = pi^2/4, pi^2, x^2 with tan x = x, 4 pi^2 [B/L^2]" },
  units = "lengths in L, forces in B/L^2",
  groups = { "P L^2/B" },
  models = { "bending under compression" },
  made = "closed form; beside collocation (a singular linearized problem) and elements (the second variation)",
  sees = { "bending", "units" },
  cases = {
    case("clamped_free", "xyzuvw", nil, math.pi ^ 2 / 4),
    case("hinged_hinged", "xyzw", "xy", math.pi ^ 2),
    case("clamped_hinged", "xyzuvw", "xy", special.tangent_root() ^ 2),
    case("clamped_clamped", "xyzuvw", "xyuvw", 4 * math.pi ^ 2),
  },
}
