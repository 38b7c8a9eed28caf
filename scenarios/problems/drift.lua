-- A free rod that flies, spins and vibrates: what it keeps over many steps. Exact by conservation;
-- beside a chain of masses and springs by the Runge-Kutta method.
local integrate = include("integrate")
local radius, bend, time, steps = 0.05, 1, 8, 100000
local velocity, spin = { 1, 2, -1 }, { 1, 3, 2 }

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- The point at s of an arc of the unit length, s from -1/2 to 1/2, whose center of mass is at the origin, and its tangent.
local function arc(s)
  local angle = bend * s
  local center = (1 - math.sin(bend / 2) / (bend / 2)) / bend
  return { math.sin(angle) / bend, 0, (1 - math.cos(angle)) / bend - center }, { math.cos(angle), 0, math.sin(angle) }
end

--- Angular momentum at first, by Simpson's rule: of the arc, and of its sections, whose moments are r^2/4 and r^2/2.
local function turning()
  local n, sum = 200, { 0, 0, 0 }
  for i = 0, n do
    local x, t = arc(i / n - 0.5)
    local weight, along = (i % n == 0 and 1 or i % 2 == 1 and 4 or 2) / (3 * n), dot(t, spin)
    local moment = cross(x, cross(spin, x))
    for k = 1, 3 do sum[k] = sum[k] + weight * (moment[k] + radius ^ 2 / 4 * (spin[k] + along * t[k])) end
  end
  return sum
end

local angular = turning()
local energy = (dot(velocity, velocity) + dot(spin, angular) + bend ^ 2) / 2

--- A chain of five masses at the ends of four bars, which stretch by 4 B/r^2, with springs between them.
local bars = 4
local mass = {}
for i = 0, bars do mass[i] = (i % bars == 0 and 0.5 or 1) / bars end

--- Bars between the places in `y`, three numbers for each mass, and their lengths.
local function edges(y)
  local edge, length = {}, {}
  for i = 1, bars do
    local j = 3 * i - 3
    local x, z, w = y[j + 4] - y[j + 1], y[j + 5] - y[j + 2], y[j + 6] - y[j + 3]
    edge[i], length[i] = { x, z, w }, math.sqrt(x * x + z * z + w * w)
  end
  return edge, length
end

--- Energy of a state: of motion, of stretch, and of the angle between bars, B/h (1 - cos).
local function energy_of(y)
  local edge, length = edges(y)
  local sum, h = 0, 1 / bars
  for i = 0, bars do
    for k = 1, 3 do sum = sum + mass[i] / 2 * y[3 * (bars + 1) + 3 * i + k] ^ 2 end
  end
  for i = 1, bars do
    sum = sum + 2 / (radius ^ 2 * h) * (length[i] - h) ^ 2
    if i > 1 then sum = sum + (1 - dot(edge[i - 1], edge[i]) / (length[i - 1] * length[i])) / h end
  end
  return sum
end

--- Momentum and angular momentum of a state.
local function momenta_of(y)
  local n, linear, turn = 3 * (bars + 1), { 0, 0, 0 }, { 0, 0, 0 }
  for i = 0, bars do
    local x, v = { table.unpack(y, 3 * i + 1, 3 * i + 3) }, { table.unpack(y, n + 3 * i + 1, n + 3 * i + 3) }
    local moment = cross(x, v)
    for k = 1, 3 do linear[k], turn[k] = linear[k] + mass[i] * v[k], turn[k] + mass[i] * moment[k] end
  end
  return linear, turn
end

--- Velocities, and accelerations by the forces of bars and springs.
local function rates(_, y)
  local edge, length = edges(y)
  local n, h, force = 3 * (bars + 1), 1 / bars, {}
  for k = 1, n do force[k] = 0 end
  -- What pulls the ends of bar i together or apart, along `pull`.
  local function add(i, pull)
    for k = 1, 3 do
      force[3 * i - 3 + k], force[3 * i + k] = force[3 * i - 3 + k] + pull[k], force[3 * i + k] - pull[k]
    end
  end
  for i = 1, bars do
    local a, pull = edge[i], {}
    local tension = 4 / (radius ^ 2 * h) * (length[i] - h) / length[i]
    for k = 1, 3 do pull[k] = tension * a[k] end
    for _, j in ipairs{ i - 1, i + 1 } do -- the angle to the bar before and after
      local b = edge[j]
      if b then
        local cosine = dot(a, b) / (length[i] * length[j])
        for k = 1, 3 do pull[k] = pull[k] - (b[k] / length[j] - cosine * a[k] / length[i]) / (length[i] * h) end
      end
    end
    add(i, pull)
  end
  local out = {}
  for k = 1, n do out[k], out[n + k] = y[n + k], force[k] / mass[(k - 1) // 3] end
  return out
end

local function size(a) return math.sqrt(dot(a, a)) end

--- The greatest changes of energy, momentum and angular momentum of the chain over a hundred parts of the time, relative to what
--- the rod has at first, by `n` steps.
local function changed(n)
  local y, most = {}, { 0, 0, 0 }
  for i = 0, bars do
    local x = arc(i / bars - 0.5)
    local v = cross(spin, x)
    for k = 1, 3 do y[3 * i + k], y[3 * (bars + 1) + 3 * i + k] = x[k], velocity[k] + v[k] end
  end
  local at_first, linear, turn = energy_of(y), momenta_of(y)
  for _ = 1, 100 do
    y = integrate.rk4(rates, 0, time / 100, y, n / 100)
    local p, l = momenta_of(y)
    most[1] = math.max(most[1], math.abs(energy_of(y) - at_first) / energy)
    for k = 1, 3 do
      most[2] = math.max(most[2], math.abs(p[k] - linear[k]) / size(velocity))
      most[3] = math.max(most[3], math.abs(l[k] - turn[k]) / size(angular))
    end
  end
  return most
end

--- The changes by 10 000 and 20 000 steps, computed once. Their difference is the error of the latter.
local known
local function answer(which)
  return function()
    known = known or { changed(10000), changed(20000) }
    local coarse, fine = known[1][which], known[2][which]
    return fine, math.abs(coarse - fine) + 1e-10
  end
end

local function ask(which, name, what)
  return { name = name, what = what, exact = 0, methods = { { "integration", answer(which) } } }
end

local function given(name, what, value) return { name = name, what = what, value = value } end

local numbers = {
  given("r", "radius, in L", radius), given("bend", "angle of the arc at first, in rad", bend), given("time", "of all steps, in L^2 sqrt(m/B)", time),
  given("steps", "number of steps", steps), given("energy", "at first, in B/L", energy),
}
for k, axis in ipairs{ "x", "y", "z" } do
  numbers[#numbers + 1] = given("v_" .. axis, "velocity at first along " .. axis, velocity[k])
  numbers[#numbers + 1] = given("w_" .. axis, "angular velocity at first about " .. axis, spin[k])
  numbers[#numbers + 1] = given("L_" .. axis, "angular momentum at first about " .. axis, angular[k])
end

return {
  title = "Drift: what a free rod keeps over 100 000 steps",
  text = [[A free straight rod of length L and a round section of radius r = L/20 bends and twists with B, resists stretch by 4 B/r^2, shear by 3/7 of
that, and has the mass m per length and the rotary inertia m r^2/4. At first it is bent to an arc of 1 rad in the plane of x and z, with the middle of
the arc lowest along z, its center of mass at the origin, and its middle parallel to x. It moves with the velocity (1, 2, -1) and the angular velocity
(1, 3, 2), as a rigid body would, and is free from then on. A solver makes 100 000 equal steps up to t = 8 L^2 sqrt(m/B), in which the rod vibrates
some thirty times. How much do energy, momentum and angular momentum about the origin change at most?]],
  formulas = {
    "E = (m v^2 L + w.I w + B 1/L)/2, P = m L v, L = I w: all constant", "I = integral of m (x.x 1 - x x) + m r^2/4 (1 + t t) over the arc, t its tangent",
  },
  units = "lengths in L, times in L^2 sqrt(m/B), energies in B/L", groups = { "r/L = 0.05", "t = 8", "steps = 1e5" },
  models = { "bending, twist, stretch and shear", "inertia without damping" },
  made = "conservation; beside a chain of masses and springs by the Runge-Kutta method",
  sees = { "damping", "order" },
  cases = {
    {
      name = "free", given = numbers,
      --- The point at s, from -1/2 to 1/2, at first.
      shape = function(s) return table.unpack((arc(s))) end,
      ask = {
        ask(1, "energy", "greatest change of the energy, over the energy at first"),
        ask(2, "momentum", "greatest change of a component of the momentum, over the momentum at first"),
        ask(3, "angular", "greatest change of a component of the angular momentum, over the angular momentum at first"),
      },
    },
  },
}
