-- A cylinder on a rough plane: thrown, it slides until it rolls; on slopes it rolls, or slides and
-- rolls.
local integrate = include("integrate")

--- The rates of place, speed and speed of the surface at the plane, of a solid cylinder of radius 1: as it slides, friction `mu`
--- acts against that; else it holds, by what rolling needs.
local function rates(slope, mu, slides)
  local push, press = math.sin(slope), math.cos(slope)
  return function()
    local friction = slides and mu * press or push / 3
    return { push - friction, 2 * friction }
  end
end

--- The place at `time`, begun with `speed` and no spin: by the Runge-Kutta method, before and after sliding ends, if it does. A rest
--- slides where rolling needs more friction than there is.
local function integrated(slope, mu, speed, time)
  local function go(slides, from, to, y)
    local f = rates(slope, mu, slides)
    return integrate.rk4(function(_, z) return { z[2], table.unpack(f()) } end, from, to, y, 10)
  end
  local slides = speed > 0 or math.sin(slope) / 3 > mu * math.cos(slope)
  local rate = rates(slope, mu, true)()
  local ends = speed > 0 and math.min(time, speed / (rate[2] - rate[1])) or slides and time or 0
  local y = ends > 0 and go(true, 0, ends, { 0, speed, 0 }) or { 0, speed, 0 }
  return (ends < time and go(false, ends, time, y) or y)[1], 1e-12
end

local function case(of)
  local push, press = math.sin(of.slope), math.cos(of.slope)
  local exact
  if of.speed > 0 then
    local ends = of.speed / (3 * of.mu)
    exact = of.speed * ends - of.mu * ends ^ 2 / 2 + 2 / 3 * of.speed * (of.time - ends)
  else
    exact = math.max(push * 2 / 3, push - of.mu * press) * of.time ^ 2 / 2
  end
  return {
    name = of.name,
    given = {
      { name = "slope", what = "of the plane, in rad", value = of.slope }, { name = "mu", what = "coefficient of friction", value = of.mu },
      { name = "speed", what = "at first, down the plane and without spin, in sqrt(g r)", value = of.speed },
      { name = "time", what = "at which the place is asked for, in sqrt(r/g)", value = of.time },
    },
    ask = {
      {
        name = "place", what = "of the axis, from where it began, in r", scale = exact, exact = exact,
        methods = { { "integration", function() return integrated(of.slope, of.mu, of.speed, of.time) end } },
      },
    },
  }
end

return {
  title = "Rolling and sliding: a cylinder on a rough plane",
  text = [[A rigid solid cylinder of radius r lies across a rough plane. Thrown along a level plane, it slides, and rolls after 1.11 sqrt(r/g)
with two thirds of its speed (case thrown). On a slope of 0.3 rad it rolls from rest (rolls), or slides and rotates if friction is less than a
third of the slope (slips). Where is it?]],
  formulas = {
    "m a = m g sin(slope) - F, m r^2/2 omega' = F r", "F = mu m g cos(slope) against the sliding v - omega r; or v = omega r",
    "x = v^2/(3 mu g) - v^2/(18 mu g) + 2 v/3 (t - v/(3 mu g)); g sin(slope) t^2/3; g (sin(slope) - mu cos(slope)) t^2/2",
  },
  units = "lengths in r, times in sqrt(r/g)", groups = { "mu = 0.3, 0.5, 0.05", "v/sqrt(g r) = 1", "slope = 0.3 rad" },
  models = { "contact with a plane", "friction that rotates bodies" },
  made = "closed form; beside the Runge-Kutta method",
  sees = { "friction", "energy" },
  cases = {
    case{ name = "thrown", slope = 0, mu = 0.3, speed = 1, time = 3 }, case{ name = "rolls", slope = 0.3, mu = 0.5, speed = 0, time = 3 },
    case{ name = "slips", slope = 0.3, mu = 0.05, speed = 0, time = 3 },
  },
}
