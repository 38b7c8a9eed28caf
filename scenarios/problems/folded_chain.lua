-- A falling folded chain: of forty links, by their angles (Lagrange's equations), and by positions
-- of joints with the tensions of links; and continuous, by the conservation of energy.
local special, integrate, link_chain = include("special_functions"), include("integrate"), include("link_chain")
local links, time = 40, 1

--- The angle of link `i` from hanging: twenty hang, one lies, and nineteen go up again.
local function angle(i) return i <= 20 and 0 or i == 21 and math.pi / 2 or math.pi end

local chain = { links = links, angle = angle, rate = function() return 0 end, gravity = 1 }

--- The height of the end of that chain, by `n` steps of the computation `by`.
local function height(by, n)
  local _, z = by(chain, time, n)
  return z
end

--- The fall of the end of a continuous chain after the time t, from the conservation of energy, v^2 = x (2 - x)/(1 - x): by its
--- acceleration, and by the time that a fall takes, x = y^2 (Simpson's rule).
local function by_acceleration(n)
  return integrate.rk4(function(_, y) return { y[2], (1 + 1 / (1 - y[1]) ^ 2) / 2 } end, 0, time, { 0, 0 }, n)[1]
end

local function by_energy(n)
  return special.root(function(x)
    local sum, root = 0, math.sqrt(x)
    for i = 0, n do
      local y = root * i / n
      sum = sum + (i == 0 and 1 or i == n and 1 or i % 2 == 1 and 4 or 2) * 2 * math.sqrt((1 - y * y) / (2 - y * y))
    end
    return sum * root / (3 * n) - time
  end, 0.3, 0.9)
end

local at = { name = "time", what = "at which the end is asked for, in sqrt(L/g)", value = time }

return {
  title = "Folded chain: one half falls beside the other, continuous and of forty links",
  text = [[A chain of 40 rigid links, each L/40 long, with point masses m/40 at its joints and m/80 at its free end, has its other end fixed at the
origin. Twenty links hang from it along -z, one lies along x, and nineteen go up again along z, at rest. It is released at t = 0 and falls in the plane of
x and z, without friction and without touching itself. Where is its free end at t = 1 sqrt(L/g)? It
falls faster than freely; a free fall would reach z = -0.525. Case continuous has no links: both halves begin at z = 0, and nothing lies between them.]],
  formulas = { "m r_i'' = T_(i+1) u_(i+1) - T_i u_i - m g e_z, u_i = (r_i - r_(i-1))/h, |u_i| = 1", "x'' = g/2 (1 + L^2/(L - x)^2) of the fall x, continuous" },
  units = "lengths in L, times in sqrt(L/g)", groups = { "t sqrt(g/L) = 1" },
  models = { "large motion in the plane", "weight", "no bending and stretch, or as little as the solver needs" },
  made = "tensions that keep the lengths, beside Lagrange's equations of the angles; both by the Runge-Kutta method, extrapolated",
  published = "Calkin and March 1989: a falling end is faster than free fall",
  sees = { "direction" },
  cases = {
    {
      name = "links", given = { { name = "links", what = "number of links", value = links }, at },
      ask = {
        {
          name = "z", what = "z of the free end, over L",
          methods = {
            { "tensions", function() return integrate.refine(function(n) return height(link_chain.by_tensions, n) end, 200, 4, 5) end },
            { "angles", function() return integrate.refine(function(n) return height(link_chain.by_angles, n) end, 50, 4, 5) end },
          },
        },
      },
    },
    {
      name = "continuous", given = { at },
      ask = {
        {
          name = "z", what = "z of the free end, over L",
          methods = {
            { "acceleration", function() return integrate.refine(function(n) return -by_acceleration(n) end, 50, 4, 5) end },
            { "energy", function() return integrate.refine(function(n) return -by_energy(n) end, 20, 4, 6) end },
          },
        },
      },
    },
  },
}
