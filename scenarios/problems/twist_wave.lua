-- D'Alembert: a free rod that is turned at one end; both ends reflect its waves.
local length, speed, pulse_time, peak = 1, 1, 0.8, 0.5

--- The integral of the moment up to time `t`.
local function impulse(t)
  if t <= 0 then return 0 end
  t = math.min(t, pulse_time)
  return peak * (t / 2 - pulse_time / (4 * math.pi) * math.sin(2 * math.pi * t / pulse_time))
end

--- The angle at `x` from the end that is not turned: waves that come by, and come back from both ends with the same sign.
local function angle(x, t)
  local sum = 0
  for trip = 0, 10 do
    sum = sum + impulse(t - (length - x + 2 * length * trip) / speed) + impulse(t - (length + x + 2 * length * trip) / speed)
  end
  return sum -- over the wave resistance sqrt(C J), which is 1
end

local ask = {}
for _, t in ipairs{ 0.9, 2.15, 4.15 } do
  ask[#ask + 1] = {
    name = "turn_" .. string.format("%g", t), what = "y of the direction u of the middle at t = " .. string.format("%g", t) .. ", the sine of its angle",
    at = 0.5, component = "uy", time = t, exact = math.sin(angle(0.5, t)),
  }
end

return {
  title = "Wave of twist: a free rod that is turned for a moment",
  text = [[A straight round rod of length L lies along x from the origin, free, with u along -z. A moment 0.5 C/L sin^2(pi t/T), T = 0.8 L/c,
turns it about x at its far end. A wave of twist runs along it with the speed c = sqrt(C/J), and is reflected at both ends. By which
angle is its middle turned?]],
  formulas = { "J theta_tt = C theta_xx", "theta_x(0, t) = 0, C theta_x(L, t) = M(t)", "u = (0, sin theta, -cos theta)" },
  units = "lengths in L, times in L/c, moments in C/L", groups = { "M L/C = 0.5", "c T/L = 0.8", "J c^2/C = 1" },
  models = { "twist", "rotary inertia about the rod" },
  made = "closed form (d'Alembert); beside elements with the midpoint rule and a staggered grid",
  sees = { "twist", "units" },
  cases = {
    {
      name = "turn", elements = 24,
      rod = {
        -- A round section of radius 0.2: EA = 4 B/r^2, J = A r^2/2, C = B.
        length = 1, stiffness = { shear_u = 300 / 7, shear_v = 300 / 7, stretch = 100, bend_u = 1, bend_v = 1, twist = 1 },
        start = { frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 } }, moment = { peak, 0, 0 },
      },
      motion = { mass = 50, inertia = { 0.5, 0.5, 1 }, course = "pulse", pulse_time = pulse_time, steps = 120, cells = 40 },
      ask = ask,
    },
  },
}
