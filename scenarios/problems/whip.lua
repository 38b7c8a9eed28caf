-- A whip: half of a folded chain moves along the other half, which rests, and becomes ever faster; the more so if it tapers. Of
-- twenty links, by their angles (Lagrange's equations), and by positions of joints with the tensions of links; and continuous, by
-- the conservation of energy.
local integrate, link_chain = include("integrate"), include("link_chain")
local links, time = 20, 0.5

--- The angle of link `i` from -z, which is along the whip: ten rest, one lies across, and nine go back.
local function angle(i) return i <= 10 and 0 or i == 11 and math.pi / 2 or math.pi end

--- The mass of link `i` of a whip that tapers to a point, whose radius is that in its middle.
local function tapered(i) return (1 - (i - 0.5) / links) ^ 2 end

--- The acceleration of the end over the square of its velocity: half of the mass that the fold takes up while the end moves by 1, over
--- what moves beyond the fold, which is at (1 + x)/2. That of a cone is summed by Simpson's rule.
local function even_pull(x) return 1 / (2 * (1 - x)) end

local function tapered_pull(x)
  local fold = (1 + x) / 2
  local function mass(s) return (1 - s) ^ 2 end
  local beyond = (mass(fold) + 4 * mass((fold + 1) / 2) + mass(1)) * (1 - fold) / 6
  return mass(fold) / (4 * beyond)
end

--- The link across is rotated by what moves beyond it.
local function chain_of(mass)
  return { links = links, angle = angle, rate = function(i) return i == 11 and -links or 0 end, gravity = 0, mass = mass }
end

--- What is asked for of a whip: place and speed of its free end at `time`, for which both computations of links, `steps` of a continuous
--- one, and its closed form are known.
local function whip(of)
  local chain, known = chain_of(of.mass), {}
  local function end_of(by, n) -- along a chain of links that lies along -z; both answers are computed once
    local key = by .. n
    if not known[key] then
      local _, z, _, rate = link_chain[by](chain, of.time, n)
      known[key] = { -z, -rate }
    end
    return known[key]
  end
  local function integrated(n)
    return integrate.rk4(function(_, y) return { y[2], of.pull(y[1]) * y[2] ^ 2 } end, 0, of.time, { 0, 1 }, n)
  end
  -- The part that has not yet passed the fold, by the conservation of energy.
  local left = (1 - (of.power / 2 + 1) * of.time) ^ (1 / (of.power / 2 + 1))
  local names = {
    { "x", "x of the free end, over L", 1 - left }, { "speed", "velocity of the free end along x, over the initial one", left ^ (-of.power / 2) },
  }
  local function ask(k, continuous)
    local name, what, exact = table.unpack(names[k])
    local function refined(value, n, p, q)
      return function() return integrate.refine(function(m) return value(m)[k] end, n, p, q) end
    end
    return {
      name = name, what = what, scale = k == 2 and exact or 1, exact = continuous and exact or nil,
      methods = continuous and { { "integration", refined(integrated, 50, 4, 5) } } or {
        { "tensions", refined(function(n) return end_of("by_tensions", n) end, of.steps, 4, 5) },
        { "angles", refined(function(n) return end_of("by_angles", n) end, of.steps / 2, 4, 5) },
      },
    }
  end
  local function case(name, given, continuous)
    given[#given + 1] = { name = "time", what = "at which the end is asked for, in L/v", value = of.time }
    if of.mass then given[#given + 1] = { name = "taper", what = "radius at the fixed end less that at the free end, over the former", value = 1 } end
    return { name = name, given = given, ask = { ask(1, continuous), ask(2, continuous) } }
  end
  return case(of.name .. "links", { { name = "links", what = "number of links", value = links } }, false), case(of.name .. "continuous", {}, true)
end

-- The mass beyond the fold goes as 1 - x, or its cube.
local links_case, continuous_case = whip{ name = "", time = time, power = 1, pull = even_pull, steps = 200 }
local tapered_links, tapered_continuous = whip{ name = "tapered_", time = 0.3, power = 3, pull = tapered_pull, steps = 200, mass = tapered }

return {
  title = "Whip: one half of a folded chain moves along the other, continuous and of twenty links, even and tapered",
  text = [[A chain of 20 rigid links, each L/20 long, with point masses m/20 at its joints and m/40 at its free end, has its other end fixed at the
origin. Ten links lie along x and rest, one lies across them along y, and nine go back along x. All joints beyond the link across move along x
with the velocity v. There is no weight; the chain moves in the plane of x and y, without friction and without touching itself. Where is its free end
at t = 0.5 L/v, and how fast does it move along x? The moving part shortens, and so it becomes faster. Case continuous has no links: the free end begins
at the origin, nothing lies between both halves, and all of the chain would be stretched, with an infinite velocity, at t = 2/3 L/v.
A tapered whip is a cone: its radius falls from the fixed end to nothing at the free one, and its mass per length with the square. Link i of 20 has
a mass as (1 - (i - 1/2)/20)^2, half of it at each end. The end is asked for at t = 0.3 L/v; the continuous one would be stretched at 2/5 L/v.]],
  formulas = {
    "m r_i'' = T_(i+1) u_(i+1) - T_i u_i, u_i = (r_i - r_(i-1))/h, |u_i| = 1", "x'^2 (L - x) = v^2 L, x = L - L (1 - 3 v t/(2 L))^(2/3), continuous",
    "x'^2 (L - x)^3 = v^2 L^3, x = L - L (1 - 5 v t/(2 L))^(2/5), tapered and continuous",
  },
  units = "lengths in L, times in L/v, velocities in v", groups = { "t v/L = 0.5, 0.3" },
  models = { "large motion in the plane", "inertia without damping", "no bending and stretch, or as little as the solver needs" },
  made = "tensions that keep the lengths, beside Lagrange's equations of the angles; a closed form beside the Runge-Kutta method",
  sees = { "direction" },
  cases = { links_case, continuous_case, tapered_links, tapered_continuous },
}
