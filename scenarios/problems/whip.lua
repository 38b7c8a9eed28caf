-- A whip: half of a folded chain moves along the other half, which rests, and becomes ever faster. Of twenty links, by their angles
-- (Lagrange's equations), and by positions of joints with the tensions of links; and continuous, by the conservation of energy.
local integrate, link_chain = include("integrate"), include("link_chain")
local links, time = 20, 0.5

--- The angle of link `i` from -z, which is along the whip: ten rest, one lies across, and nine go back.
local function angle(i) return i <= 10 and 0 or i == 11 and math.pi / 2 or math.pi end

--- The link across is rotated by what moves beyond it.
local chain = { links = links, angle = angle, rate = function(i) return i == 11 and -links or 0 end, gravity = 0 }

--- Place and speed of the free end along a chain of links that lies along -z, by `n` steps of a computation of link_chain; both are
--- asked for, and computed once.
local known = {}
local function end_of(by, n)
  local key = by .. n
  if not known[key] then
    local _, z, _, rate = link_chain[by](chain, time, n)
    known[key] = { -z, -rate }
  end
  return known[key]
end

--- The same of a continuous whip, x'' = x'^2/(2 (1 - x)), by the Runge-Kutta method.
local function integrated(n)
  return integrate.rk4(function(_, y) return { y[2], y[2] ^ 2 / (2 * (1 - y[1])) } end, 0, time, { 0, 1 }, n)
end

--- The part that has not yet passed the fold, by the conservation of energy: both halves have the length (1 - x)/2 and (1 + x)/2.
local left = (1 - 1.5 * time) ^ (2 / 3)

local names = {
  { "x", "x of the free end, over L", 1 - left }, { "speed", "velocity of the free end along x, over the initial one", 1 / math.sqrt(left) },
}

--- What is asked for, number `k`, of links or continuous.
local function ask(k, continuous)
  local name, what, exact = table.unpack(names[k])
  local function refined(of, n, p, q)
    return function() return integrate.refine(function(m) return of(m)[k] end, n, p, q) end
  end
  return {
    name = name, what = what, scale = k == 2 and exact or 1, exact = continuous and exact or nil,
    methods = continuous and { { "integration", refined(integrated, 50, 4, 5) } } or {
      { "tensions", refined(function(n) return end_of("by_tensions", n) end, 200, 4, 5) },
      { "angles", refined(function(n) return end_of("by_angles", n) end, 100, 4, 5) },
    },
  }
end

local at = { name = "time", what = "at which the end is asked for, in L/v", value = time }

return {
  title = "Whip: one half of a folded chain moves along the other, continuous and of twenty links",
  text = [[A chain of 20 rigid links, each L/20 long, with point masses m/20 at its joints and m/40 at its free end, has its other end fixed at the
origin. Ten links lie along x and rest, one lies across them along y, and nine go back along x. All joints beyond the link across move along x
with the velocity v. There is no weight; the chain moves in the plane of x and y, without friction and without touching itself. Where is its free end
at t = 0.5 L/v, and how fast does it move along x? The moving part shortens, and so it becomes faster. Case continuous has no links: the free end begins
at the origin, nothing lies between both halves, and all of the chain would be stretched, with an infinite velocity, at t = 2/3 L/v.]],
  formulas = {
    "m r_i'' = T_(i+1) u_(i+1) - T_i u_i, u_i = (r_i - r_(i-1))/h, |u_i| = 1", "x'^2 (L - x) = v^2 L, x = L - L (1 - 3 v t/(2 L))^(2/3), continuous",
  },
  units = "lengths in L, times in L/v, velocities in v", groups = { "t v/L = 0.5" },
  models = { "large motion in the plane", "inertia without damping", "no bending and stretch, or as little as the solver needs" },
  made = "tensions that keep the lengths, beside Lagrange's equations of the angles; a closed form beside the Runge-Kutta method",
  sees = { "direction" },
  cases = {
    { name = "links", given = { { name = "links", what = "number of links", value = links }, at }, ask = { ask(1, false), ask(2, false) } },
    { name = "continuous", given = { at }, ask = { ask(1, true), ask(2, true) } },
  },
}
