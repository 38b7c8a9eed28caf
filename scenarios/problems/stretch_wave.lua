-- D'Alembert: a bar that is held at one end and pulled at the other; both ends reflect its waves.
local length, speed, pulse_time, peak = 1, 1, 0.8, 0.1

--- The integral of the force at the free end up to time `t`.
local function impulse(t)
  if t <= 0 then return 0 end
  t = math.min(t, pulse_time)
  return peak * (t / 2 - pulse_time / (4 * math.pi) * math.sin(2 * math.pi * t / pulse_time))
end

--- The displacement at `x` from the held end: waves that go down and come back with the other sign, and turn at the free end
--- with the same.
local function displacement(x, t)
  local sum, sign = 0, 1
  for trip = 0, 10 do
    sum = sum + sign * (impulse(t - (length - x + 2 * length * trip) / speed) - impulse(t - (length + x + 2 * length * trip) / speed))
    sign = -sign
  end
  return sum -- over the wave resistance sqrt(EA rho A), which is 1
end

local ask = {}
for _, t in ipairs{ 2.15, 6.15 } do
  for _, place in ipairs{ { 0.5, "middle" }, { 1, "tip" } } do
    ask[#ask + 1] = {
      name = place[2] .. "_" .. string.format("%g", t), what = "x of the " .. place[2] .. " at t = " .. string.format("%g", t), at = place[1],
      component = "x", time = t, exact = place[1] + displacement(place[1], t),
    }
  end
end

return {
  title = "Wave of stretch: a bar that is pulled for a moment",
  text = [[A straight bar of length L lies along x and is clamped at the origin. A force 0.1 EA sin^2(pi t/T), T = 0.8 L/c, pulls
at its tip. A wave of stretch runs along it with the speed c = sqrt(EA/rho A), and is reflected at both ends.]],
  formulas = { "u_tt = c^2 u_xx", "u(0, t) = 0, EA u_x(L, t) = F(t)" },
  units = "lengths in L, times in L/c, forces in EA", groups = { "F/EA = 0.1", "c T/L = 0.8" },
  models = { "stretch", "inertia" },
  made = "closed form (d'Alembert); beside elements with the midpoint rule and a staggered grid",
  sees = { "stretch", "units", "mass" },
  cases = {
    {
      name = "pull", elements = 24,
      rod = {
        length = 1, stiffness = { shear_u = 3 / 7, shear_v = 3 / 7, stretch = 1, bend_u = 0.01, bend_v = 0.01, twist = 0.01 },
        start = { frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, held = "xyzuvw" }, force = { peak, 0, 0 },
      },
      motion = { mass = 1, inertia = { 0.01, 0.01, 0.02 }, course = "pulse", pulse_time = pulse_time, steps = 120, cells = 80 },
      ask = ask,
    },
  },
}
