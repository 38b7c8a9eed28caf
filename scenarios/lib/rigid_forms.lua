-- Known motions of rigid bars: exact steps of backward Euler, and exact motions in time. All in SI
-- units; angles in a plane, counterclockwise.
local forms = {}

--- Angles after 0, 1, .., n steps of length h of a body that turns in a plane with the inertia I about its pivot (or
--- center), from `angle` at `rate`. Options: moment, m d; gravity, towards -90 degrees; torque.
--- Each step is z' = normalized(I (2 z - z_old) + h^2 (m d g + i torque z)), z the unit complex number of the angle.
function forms.steps(I, h, n, angle, rate, options)
  local o = options or {}
  local pull, torque = (o.moment or 0) * (o.gravity or 0), o.torque or 0
  local x, y = math.cos(angle), math.sin(angle)
  -- The velocity at time 0 is that of points, so that the first step comes from a chord.
  local old_x, old_y = x + h * rate * y, y - h * rate * x
  local angles, turned = { angle }, angle
  for _ = 1, n do
    local u = I * (2 * x - old_x) - h * h * torque * y
    local v = I * (2 * y - old_y) + h * h * (torque * x - pull)
    local r = math.sqrt(u * u + v * v)
    u, v = u / r, v / r
    turned = turned + math.atan(x * v - y * u, x * u + y * v)
    angles[#angles + 1] = turned
    old_x, old_y, x, y = x, y, u, v
  end
  return angles
end

--- Position after n steps of free fall from rest, along gravity.
function forms.fall(g, h, n) return g * h * h * n * (n + 1) / 2 end

--- Inertia of a box of mass m and the given sides about its center: xx, yy, zz.
function forms.box(m, x, y, z)
  return m / 12 * (y * y + z * z), m / 12 * (x * x + z * z), m / 12 * (x * x + y * y)
end

--- Period of a pendulum of the frequency w of small swings, let go at `start` from its rest: 2 pi / (w agm(1, cos(start/2))).
function forms.period(w, start)
  local a, b = 1, math.cos(start / 2)
  while math.abs(a - b) > 1e-15 do a, b = (a + b) / 2, math.sqrt(a * b) end
  return 2 * math.pi / (w * a)
end

return forms
