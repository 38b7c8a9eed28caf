-- A rod across two rails on a slope, slightly below or above what friction at the crossings can
-- hold.
local integrate = include("integrate")
local mu, time = 0.5, 10

local function case(name, part)
  local slope = math.atan(part * mu)
  local rate = math.sin(slope) - mu * math.cos(slope)
  local scale = math.sin(math.atan(1.02 * mu)) - mu * math.cos(math.atan(1.02 * mu))
  local exact = math.max(0, rate) * time ^ 2 / 2
  return {
    name = name,
    given = {
      { name = "slope", what = "of the rails, in rad", value = slope }, { name = "mu", what = "coefficient of friction", value = mu },
      { name = "time", what = "at which the travel is asked for, in sqrt(r/g)", value = time },
    },
    ask = {
      {
        name = "travel", what = "down the rails, in r", scale = scale * time ^ 2 / 2, exact = exact,
        methods = {
          {
            "integration",
            function()
              -- Two crossings carry a half of the weight each; each holds, or rubs.
              local y = integrate.rk4(function(_, z)
                local need, can = math.sin(slope) / 2, mu * math.cos(slope) / 2
                return { z[2], z[2] == 0 and need <= can and 0 or 2 * (need - can) }
              end, 0, time, { 0, 0 }, 20)
              return y[1], 1e-12
            end,
          },
        },
      },
    },
  }
end

return {
  title = "Crossing rods: a rod across two rails, at 0.98 and 1.02 of what friction holds",
  text = [[Two fixed straight round rods, the rails, lie side by side on a slope and go down it; a third rigid one of radius r lies across them, at
rest and level, and touches each at a point. It cannot roll, because its ends cannot rotate about its axis. The slope's tangent is 0.98 (case holds)
or 1.02 (case slides) times the coefficient of friction, mu = 0.5. How far has it moved down the rails at t = 10 sqrt(r/g)?]],
  formulas = { "a = g (sin(slope) - mu cos(slope)), or 0 where tan(slope) < mu" },
  units = "lengths in r, times in sqrt(r/g)", groups = { "tan(slope)/mu = 0.98, 1.02", "mu = 0.5" },
  models = { "contact of two rods", "friction" },
  made = "closed form; beside the Runge-Kutta method",
  sees = { "friction" },
  cases = { case("holds", 0.98), case("slides", 1.02) },
}
