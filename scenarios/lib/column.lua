-- Small vibrations of a clamped column of segments under a follower load at its tip (Beck,
-- Ziegler), exact for the discrete rod with held scales. A motion is z^k after k steps, or exp(s t)
-- in continuous time, times a shape that is found by shooting from the clamp. Complex numbers are
-- lists of a real and an imaginary part.
local column = {}

local function add(a, b) return { a[1] + b[1], a[2] + b[2] } end
local function times(a, b) return { a[1] * b[1] - a[2] * b[2], a[1] * b[2] + a[2] * b[1] } end
local function scaled(a, f) return { a[1] * f, a[2] * f } end
local function over(a, b)
  local square = b[1] ^ 2 + b[2] ^ 2
  return { (a[1] * b[1] + a[2] * b[2]) / square, (a[2] * b[1] - a[1] * b[2]) / square }
end

--- One motion from the clamp to the tip. `c` is the column: n segments l long, stiffness `bending` [N m^2] and `shear`
--- [N], `mass` of a segment [kg], moment of inertia of its frame `turning` [kg m^2], and the `load` [N]. `rate` is the
--- factor of an acceleration (s^2, or its like of a step), `lag` that of the load's direction; force and moment are
--- those behind the clamp, real. Returns the remaining force and moment at the tip, positions and angles.
local function shoot(c, rate, lag, force, moment)
  local x, angle, n, m = { 0, 0 }, { 0, 0 }, { force, 0 }, { moment, 0 }
  local places, angles = {}, {}
  for j = 1, c.n do
    if j > 1 then -- the frame of the first segment is held
      angle = add(angle, scaled(m, c.l / c.bending))
      m = add(m, add(times(add(scaled(rate, c.turning), { -c.l * c.load, 0 }), angle), scaled(n, -c.l)))
    end
    x = add(x, scaled(add(scaled(n, 1 / c.shear), angle), c.l))
    places[j], angles[j] = x, angle
    n = add(n, times(scaled(rate, j < c.n and c.mass or c.mass / 2), x))
  end
  return add(n, scaled(times(lag, angle), c.load)), m, places, angles
end

--- The determinant of the map from force and moment at the clamp to those at the tip: 0 for a motion.
local function determinant(c, rate, lag)
  local a, b = shoot(c, rate, lag, c.bending, 0)
  local d, e = shoot(c, rate, lag, 0, c.bending * c.l)
  return add(times(a, e), scaled(times(b, d), -1))
end

--- The determinant in continuous time, where it is real, relative to that at rest, over the squared frequency [1/s^2].
local function relative(c)
  local one = { 1, 0 }
  local whole = determinant(c, { 0, 0 }, one)[1]
  return function(square) return determinant(c, { -square, 0 }, one)[1] / whole end
end

--- Between the two lowest frequencies the determinant is negative, until they coincide. Returns its minimum there, as
--- `relative`, and the squared frequency of the minimum.
local function least(c)
  local unit = c.bending / (c.mass * c.n ^ 4 * c.l ^ 3) -- [1/s^2], the square of a slow frequency but for a factor
  local of_square = relative(c)
  local function value(w) return of_square(w * unit) end
  local at = 0
  while value(at + 10) < value(at) do at = at + 10 end
  local low, high = math.max(at - 10, 0), at + 10
  for _ = 1, 40 do -- thirds of the interval, to 1e-14 of the value
    local left, right = low + (high - low) / 3, high - (high - low) / 3
    if value(left) < value(right) then high = right else low = left end
  end
  return value(low), low * unit
end

--- The load beyond which the column flutters, between two loads.
function column.critical_load(c, low, high)
  for _ = 1, 45 do
    c.load = (low + high) / 2
    if least(c) < 0 then low = c.load else high = c.load end
  end
  return c.load
end

--- The factor z of a step of implicit Euler, `h` long, which turns the load by the angles that it predicts.
local function of_step(z, h)
  local back = over({ 1, 0 }, z)
  local gone = add({ 1, 0 }, scaled(back, -1))
  return scaled(times(gone, gone), 1 / h ^ 2), add({ 1, 0 }, scaled(times(gone, gone), -1))
end

--- The initial guess of z: the slowest motion in continuous time. Beyond the critical load this is a pair of complex
--- squared frequencies about the minimum of the determinant, from the parabola there.
local function guess(c, h)
  local value, at = least(c)
  local of_square = relative(c)
  if value < 0 then
    local low, high = 0, at
    for _ = 1, 60 do
      local middle = (low + high) / 2
      if of_square(middle) > 0 then low = middle else high = middle end
    end
    return { 1, math.sqrt(low) * h }
  end
  local d = 1e-3 * at
  local bent = (of_square(at + d) - 2 * value + of_square(at - d)) / d ^ 2
  local aside = math.sqrt(2 * value / bent)
  local size = math.sqrt(at ^ 2 + aside ^ 2) -- s^2 = -at + i aside
  return { 1 + math.sqrt((size - at) / 2) * h, math.sqrt((size + at) / 2) * h }
end

--- The slowest motion of the column in steps of implicit Euler: its factor per step, `z` = { real, imaginary }; its
--- magnitude `decay` and frequency [rad/s]; and place(j, k), angle(j, k) of node j and segment j from the clamp after
--- k steps, relative to the initial ones of the tip.
function column.motion(c, h)
  local z = guess(c, h)
  local function value(at) return determinant(c, of_step(at, h)) end
  local last, before = z, value(z)
  z = add(z, { 1e-4 * math.abs(z[2]), 0 })
  for _ = 1, 40 do -- secants
    local now = value(z)
    local change = add(now, scaled(before, -1))
    if change[1] == 0 and change[2] == 0 then break end
    last, before, z = z, now, add(z, scaled(over(times(now, add(z, scaled(last, -1))), change), -1))
  end
  local rate, lag = of_step(z, h)
  local _, b, x1, a1 = shoot(c, rate, lag, c.bending, 0)
  local _, e, x2, a2 = shoot(c, rate, lag, 0, c.bending * c.l)
  local share = scaled(over(b, e), -1)
  local tip = add(x1[c.n], times(share, x2[c.n]))
  local size, phase = math.sqrt(z[1] ^ 2 + z[2] ^ 2), math.atan(z[2], z[1])
  local function part(first, second)
    return function(j, k)
      local shape = over(add(first[j], times(share, second[j])), tip)
      return size ^ k * (shape[1] * math.cos(k * phase) - shape[2] * math.sin(k * phase))
    end
  end
  return { z = z, decay = size, frequency = phase / h, place = part(x1, x2), angle = part(a1, a2) }
end

--- The slowest squared frequency of the continuous column, unshearable, over B / (mu L^4), under a load below Beck's
--- critical one, over B / L^2: the first root of p^2 + 2 w^2 + 2 w^2 cos(a) cosh(b) + p w sin(a) sinh(b).
function column.continuum(load)
  local function value(w)
    local half = math.sqrt(load ^ 2 / 4 + w ^ 2)
    local a, b = math.sqrt(half + load / 2), math.sqrt(half - load / 2)
    local cosh, sinh = (math.exp(b) + math.exp(-b)) / 2, (math.exp(b) - math.exp(-b)) / 2
    return load ^ 2 + 2 * w ^ 2 + 2 * w ^ 2 * math.cos(a) * cosh + load * w * math.sin(a) * sinh
  end
  local low = 0.1
  while value(low + 0.1) > 0 do low = low + 0.1 end
  local high = low + 0.1
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if value(middle) > 0 then low = middle else high = middle end
  end
  return low
end

return column
