-- Euler and Eytelwein: a rope around a fixed drum, pulled at both ends by forces whose ratio is
-- slightly below or above what friction can hold; how far it slides.
local integrate = include("integrate")
local mu, angle, straight, time = 0.5, math.pi, 0.5, 5
local most = math.exp(mu * angle)

--- The acceleration after a travel `x` at the speed `v` under the pull `pull`: the tension grows from the slack end on, by inertia on
--- both straight parts, and by friction and inertia on the drum, T' = mu (T - v^2) + a over the angle.
local function acceleration(pull, x, v)
  return (pull - most + (most - 1) * v * v) / (straight + x + most * (straight - x) + (most - 1) / mu)
end

--- The same by summing over `n` parts of the drum, the trapezoidal rule in each: the pull is linear in the acceleration.
local function summed(pull, x, v, n)
  local function needed(a)
    local h, tension = angle / n, 1 + a * (straight - x)
    for _ = 1, n do tension = (tension * (1 + mu * h / 2) + h * (a - mu * v * v)) / (1 - mu * h / 2) end
    return tension + a * (straight + x)
  end
  local none = needed(0)
  return (pull - none) / (needed(1) - none)
end

--- The travel after `time` by the Runge-Kutta method, or by Verlet's method with the sum.
local function by_integration(pull)
  return integrate.refine(function(n)
    return integrate.rk4(function(_, y) return { y[2], acceleration(pull, y[1], y[2]) } end, 0, time, { 0, 0 }, n)[1]
  end, 50, 4, 5)
end

local function by_parts(pull)
  return integrate.refine(function(n)
    local h, x, v = time / n, 0, 0
    for _ = 1, n do -- the midpoint rule, with the acceleration half way by Euler's method
      local a = summed(pull, x, v, n)
      local half = summed(pull, x + h / 2 * v, v + h / 2 * a, n)
      x, v = x + h * v + h * h / 2 * a, v + h * half
    end
    return x
  end, 50, 2, 3)
end

local travel = by_integration(1.02 * most)

local function case(name, part)
  local slides = part > 1
  return {
    name = name,
    given = {
      { name = "mu", what = "coefficient of friction, which acts at the center line", value = mu },
      { name = "angle", what = "of the drum that the rope touches, in rad", value = angle },
      { name = "straight", what = "length of each straight part at first, in R", value = straight },
      { name = "pull", what = "force at the taut end from t = 0 on, in the force at the slack end", value = part * most },
      { name = "rest", what = "force at the taut end before", value = 0.6 * most },
      { name = "time", what = "at which the travel is asked for, in R sqrt(m/T)", value = time },
    },
    ask = {
      {
        name = "travel", what = "of the taut end, in R", scale = travel, exact = not slides and 0 or nil,
        methods = slides and {
          { "integration", function() return by_integration(part * most) end }, { "parts", function() return by_parts(part * most) end },
        } or {
          -- What the rope would need to begin: its acceleration is negative, and so it rests.
          { "parts", function() return math.max(0, summed(part * most, 0, 0, 1000)), 1e-12 end },
        },
      },
    },
  }
end

return {
  title = "Capstan: a rope around a drum, at 0.98 and 1.02 of what friction holds",
  text = [[A thin rope of mass m per length, which neither stretches nor resists bending, lies over half of a fixed drum, with R the radius of
its center line there; straight parts 0.5 R long hang on both sides. The force T pulls at its slack end along the rope, and 0.6 T exp(mu pi)
at its taut end; it rests. From t = 0 on the taut end is pulled by 0.98 (case holds) or 1.02 (case slides) times T exp(mu pi). How far has it
moved at t = 5? Static and kinetic friction are the same, mu = 0.5, and act at the center line: if the friction of a solver acts at the
surface of a rope of radius r, its exponent is less by a part of about (1 + mu^2) r/R, and r should be at most R/1000. 5 % more friction is 8 % more pull.]],
  formulas = {
    "T_2 = T exp(mu pi) holds", "m a (l_2 + E l_1 + R (E - 1)/mu) = T_2 - E T + (E - 1) m v^2, E = exp(mu pi), l_1 = 0.5 R - x, l_2 = 0.5 R + x",
  },
  units = "lengths in R, forces in T, times in R sqrt(m/T)", groups = { "mu pi = 1.571", "T_2/(T E) = 0.98, 1.02" },
  models = { "contact with a fixed cylinder", "friction", "no bending and stretch, or as little as the solver needs" },
  made = "closed form of the pull that friction holds; the distance by the Runge-Kutta method, beside a sum over parts of the drum by the midpoint rule",
  sees = { "friction" },
  cases = { case("holds", 0.98), case("slides", 1.02) },
}
