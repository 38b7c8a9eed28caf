-- Ziegler 1952: two links with springs under a force that turns with the second.
local special = include("special_functions")

--- The matrix M^-1 K of the two angles, with M = [3 1; 1 1] and K = [2 - P, P - 1; -1, 1]; k = l = m = 1.
local function matrix(load)
  local a, b, c, d = 2 - load, load - 1, -1, 1
  return { (a - c) / 2, (b - d) / 2, (3 * c - a) / 2, (3 * d - b) / 2 }
end

--- The square of half the difference of its eigenvalues, the squared frequencies: from 0 on they are a pair of complex numbers.
local function discriminant(load)
  local m = matrix(load)
  return (m[1] - m[4]) ^ 2 / 4 + m[2] * m[3]
end

local exact = 3.5 - math.sqrt(2)

return {
  title = "Ziegler's pendulum: two links under a force that turns with the second",
  text = [[Two rigid links of length l stand on each other, with springs of the stiffness k at the foot and between them; the masses 2 m and m are at
the upper ends of the first and the second. A force P presses the upper end along the second link, and turns with it. There is no damping. At which
least P does it flutter?]],
  formulas = { "3 a'' + b'' + (2 - P) a + (P - 1) b = 0, a'' + b'' - a + b = 0 for the angles a, b; k = l = m = 1", "P = (7/2 - sqrt(2)) k/l" },
  units = "forces in k/l, times in l sqrt(m/k)", groups = { "P l/k" },
  models = { "a load that turns with a link", "inertia without damping" },
  made = "closed form (Ziegler 1952); beside eigenvalues of the two equations of motion",
  cases = {
    {
      name = "flutter", given = {},
      ask = {
        {
          name = "load", what = "least P at which it flutters, in k/l", scale = exact, exact = exact,
          methods = {
            { "eigenvalues", function() return special.root(function(p) return -discriminant(p) end, 1, 3), 1e-12 end },
          },
        },
      },
    },
  },
}
