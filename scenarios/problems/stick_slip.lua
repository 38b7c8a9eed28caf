-- A block on a belt, held by a spring, sticks and slips in turn, because static friction is greater than kinetic
-- friction.
local integrate = include("integrate")
local static, kinetic, belt = 0.6, 0.4, 0.1
local half = static - kinetic -- of what the spring is lengthened while the block sticks, in m g/k
local period = 2 * half / belt + 2 * (math.pi - math.atan(half / belt))
local most = kinetic + math.sqrt(half ^ 2 + belt ^ 2)
local time = 25

--- How long the block slips, and the greatest length of the spring meanwhile, by the Runge-Kutta method in steps of 1/n: from where it
--- begins to slip until it is as fast as the belt again, the last step being cut by the polynomial through its ends.
local function slip(n)
  local function f(_, y) return { y[2], kinetic - y[1] } end
  local y, t, top, h = { static, belt }, 0, 0, 1 / n
  while true do
    local z = integrate.rk4(f, t, t + h, y, 1)
    if y[2] > 0 and z[2] <= 0 then -- the top, where the speed is 0
      local part = h / 2
      for _ = 1, 60 do part = part + integrate.rk4(f, t, t + part, y, 1)[2] / (y[1] - kinetic) end
      top = integrate.rk4(f, t, t + part, y, 1)[1]
    end
    if top > 0 and y[2] < belt and z[2] >= belt and y[1] < kinetic then
      local part = 0
      for _ = 1, 60 do
        local at = integrate.rk4(f, t, t + part, y, 1)
        part = part - (at[2] - belt) / (kinetic - at[1])
      end
      return t + part, top
    end
    y, t = z, t + h
  end
end

local function refined(value) return integrate.refine(value, 10, 4, 5) end

local function given(name, what, value) return { name = name, what = what, value = value } end

return {
  title = "Stick and slip: a block on a belt, held by a spring",
  text = [[A block of mass m lies on a level belt, which moves along x with the speed 0.1 g sqrt(m/k). A spring of stiffness k along x holds it. Static
friction is 0.6, kinetic friction 0.4 of the force of the belt, m g. At first it moves with the belt, and the spring is longer than at rest by
0.2 m g/k. It sticks until the spring pulls it off, slips back until it is as fast as the belt, and so on. How often does it do so, and
what is the greatest length of the spring?]],
  formulas = {
    "sticks: x' = V, k x < mu_s m g; slips: m x'' = mu_k m g - k x until x' = V",
    "period 2 (mu_s - mu_k)/V + 2 (pi - atan((mu_s - mu_k)/V)), greatest x: mu_k + sqrt((mu_s - mu_k)^2 + V^2), in these units",
  },
  units = "lengths from that at rest, in m g/k, times in sqrt(m/k)", groups = { "mu_s = 0.6", "mu_k = 0.4", "V sqrt(k/m)/g = 0.1" },
  models = { "contact with a moving plane", "static friction that is greater than kinetic friction" },
  made = "closed form; beside the Runge-Kutta method",
  sees = { "friction" },
  cases = {
    {
      name = "loop",
      given = {
        given("mu_s", "coefficient of static friction", static), given("mu_k", "coefficient of kinetic friction", kinetic),
        given("belt", "speed of the belt, in g sqrt(m/k)", belt), given("begin", "length of the spring at first, in m g/k", kinetic - half),
        given("time", "over which it is looked at, in sqrt(m/k)", time),
      },
      ask = {
        {
          name = "frequency", what = "of the loop, in sqrt(k/m)", scale = 2 * math.pi / period, exact = 2 * math.pi / period,
          methods = { { "integration", function() return refined(function(n) return 2 * math.pi / (2 * half / belt + (slip(n))) end) end } },
        },
        {
          name = "most", what = "greatest length of the spring, in m g/k", scale = most, exact = most,
          methods = { { "integration", function() return refined(function(n) return select(2, slip(n)) end) end } },
        },
      },
    },
  },
}
