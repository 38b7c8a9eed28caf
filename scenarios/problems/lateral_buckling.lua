local special = include("special_functions")
local ratio = 0.5 -- of the twisting stiffness to that of lateral bending

--- The angle of twist over the distance z from the tip, where it is 1: that of phi'' + z^2 phi = 0.
local function twist(z)
  local sum, term = 1, 1
  for n = 0, 40 do
    term = -term * z ^ 4 / ((4 * n + 4) * (4 * n + 3))
    sum = sum + term
  end
  return sum
end

local load = special.root(twist, 1.5, 2.5) ^ 2 * math.sqrt(ratio)

return {
  title = "Lateral buckling: a blade as a cantilever",
  text = [[A thin straight blade of length L lies along x and is clamped at the origin, upright: it bends sideways with B, twists with
C = 0.5 B, and neither bends in its plane nor stretches nor shears. A force P along -z pulls at the middle of its tip. At which
least P does it buckle sideways?]],
  formulas = { "C phi'' + P^2 z^2/B phi = 0, z from the tip", "phi'(0) = 0, phi(L) = 0", "P = 4.0126 sqrt(B C)/L^2" },
  units = "lengths in L, forces in B/L^2",
  groups = { "P L^2/sqrt(B C)", "C/B = 0.5" },
  models = { "bending and twist together", "a section that is stiff in one plane" },
  made = "closed form (Michell 1899, Prandtl 1899) by a power series; beside collocation and elements",
  sees = { "bending", "twist", "units" },
  cases = {
    {
      name = "tip", elements = 32,
      rod = {
        length = 1, stiffness = { bend_u = 1, twist = ratio },
        start = { frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, held = "xyzuvw" }, force = { 0, 0, -1 },
      },
      ask = {
        {
          name = "load", what = "least force at which the blade buckles sideways", critical = { 0.6 * load, 1.5 * load },
          exact = load,
        },
      },
    },
  },
}
