-- A loose overhand knot: the force that tightens it, in the limit of a thin rope, from the pressure of two strands that are wound about
-- each other where the loop closes (Audoly, Clauvelin and Neukirch 2007). By shooting with free boundaries, and by the least energy of
-- finite differences, half of which is the pressure.
local integrate = include("integrate")
local middle = 3 * math.pi / 2 -- angle of the distance of both strands in the middle of the braid
local size = 100 -- R/h

--- A strand that is free between the outer contact and the inner one, at the distance `x` from the former (negative): its place and
--- three derivatives. The outer contact is at the angle `at`, where the strand turns by `rate`, and presses by `force`; the loop bends by 1.
local function strand(at, rate, force, x)
  local c, s = math.cos(at), math.sin(at)
  return {
    { c - rate * s * x + x * x / 2 - force * c * x ^ 3 / 6, s + rate * c * x - force * s * x ^ 3 / 6 },
    { -rate * s + x - force * c * x * x / 2, rate * c - force * s * x * x / 2 }, { 1 - force * c * x, -force * s * x }, { -force * c, -force * s },
  }
end

--- What is left of the conditions of the braid that begins at the outer contact: strands touch at the end of the free part and wind about
--- each other as helices without torsion up to the middle, about which all is symmetric; and the sum of all pressures.
-- In contact phi'''' = 6 phi'^2 phi'', and the pressure is phi'^4 - 4 phi' phi''' - 3 phi''^2.
local function braid(v, n)
  local at, rate, force, gap, inner = table.unpack(v)
  local u = strand(at, rate, force, -gap)
  local length = math.sqrt(u[1][1] ^ 2 + u[1][2] ^ 2)
  local c, s = u[1][1] / length, u[1][2] / length
  local turned = math.atan(s * math.cos(at) - c * math.sin(at), c * math.cos(at) + s * math.sin(at))
  local out, along = {}, {} -- components of the derivatives
  for k = 2, 4 do out[k], along[k] = u[k][1] * c + u[k][2] * s, u[k][2] * c - u[k][1] * s end
  local y = integrate.rk4(function(_, y)
    return { y[2], y[3], y[4], 6 * y[2] ^ 2 * y[3], y[2] ^ 4 - 4 * y[2] * y[4] - 3 * y[3] ^ 2 }
  end, inner, 0, { at + turned, along[2], along[3], along[4] + along[2] ^ 3, 0 }, n)
  local impulse = out[4] + 3 * along[2] * along[3] -- where the continuous contact ends
  return { length - 1, out[2], out[3] + along[2] ^ 2, y[1] - middle, y[3] }, 2 * (force + impulse - y[5])
end

local function shot(n)
  return integrate.newton(function(v) return (braid(v, n)) end, { 2.5, -1.05, 0.45, 2.3, 0.35 })
end

local function by_shooting(n)
  local _, pressure = braid(shot(n), n)
  return pressure / 2 ^ 1.5
end

--- A symmetric matrix of bands, and what it is multiplied with: both of zeros, of `n` rows that reach `width` to both sides.
local function banded(n, width)
  local a, right = {}, {}
  for i = 1, n do
    a[i], right[i] = {}, 0
    for j = math.max(1, i - width), math.min(n, i + width) do a[i][j] = 0 end
  end
  --- Adds half of `weight` times the square of the sum of `terms`, each a row, its factor and its value; row 0 is given.
  local function add(weight, terms)
    local sum = 0
    for _, t in ipairs(terms) do sum = sum + t[2] * t[3] end
    for _, t in ipairs(terms) do
      if t[1] > 0 then
        right[t[1]] = right[t[1]] - weight * t[2] * sum
        for _, o in ipairs(terms) do
          if o[1] > 0 then a[t[1]][o[1]] = a[t[1]][o[1]] + weight * t[2] * o[2] end
        end
      end
    end
  end
  local function solve()
    for i = 1, n do
      for k = i + 1, math.min(n, i + width) do
        local factor = a[k][i] / a[i][i]
        for j = i, math.min(n, i + width) do a[k][j] = a[k][j] - factor * a[i][j] end
        right[k] = right[k] - factor * right[i]
      end
    end
    for i = n, 1, -1 do
      for j = i + 1, math.min(n, i + width) do right[i] = right[i] - a[i][j] * right[j] end
      right[i] = right[i] / a[i][i]
    end
    return right
  end
  return a, right, add, solve
end

--- Nodes of half of the braid, `n` intervals `h` apart, on the way between a coarse guess and the least energy: places y and z, and
--- whether they touch. Contacts are where the shooting has them, to half an interval; the energy depends on that by its square only.
local function nodes(n, h)
  local at, rate, force, gap, inner = table.unpack(shot(100))
  local y, z, touches = { [0] = 0 }, { [0] = -1 }, {}
  local u = strand(at, rate, force, -gap)[1]
  local turn = math.atan(u[2], u[1]) + 2 * math.pi - middle
  for i = 1, n do
    local x = i * h
    local part = strand(at, rate, x > inner + gap and 0 or force, x - inner - gap)[1]
    if x < inner then part = { math.cos(middle + turn * x / inner), math.sin(middle + turn * x / inner) } end
    y[i], z[i], touches[i] = part[1], part[2], x < inner + h / 100 or math.abs(x - inner - gap) <= h / 2
  end
  return y, z, touches
end

--- One step of Newton's method for nodes with contact, with the forces `l` of contacts; returns its greatest change. The rows of node i
--- are y, z and the force; the first is the middle, at which y is odd and z even.
local function newton_step(y, z, l, touches, h, first)
  local n = #y
  local a, right, add, solve = banded(3 * n, 8)
  local function row(i, k) return i > 0 and 3 * i - 3 + k or 0 end
  add(1 / (2 * h ^ 3), { { 0, -2, z[0] }, { row(1, 2), 2, z[1] } })
  for i = 1, n - 1 do
    for k, u in ipairs{ y, z } do
      add(1 / h ^ 3, { { row(i - 1, k), 1, u[i - 1] }, { row(i, k), -2, u[i] }, { row(i + 1, k), 1, u[i + 1] } })
    end
  end
  right[3 * n - 2], right[3 * n - 5] = right[3 * n - 2] + 1 / h, right[3 * n - 5] - 1 / h -- the loop bends the end by 1
  for i = 1, n do
    local k = 3 * i
    if touches[i] then
      if first then l[i] = -(y[i] * right[k - 2] + z[i] * right[k - 1]) end
      a[k - 2][k - 2], a[k - 1][k - 1] = a[k - 2][k - 2] - l[i], a[k - 1][k - 1] - l[i]
      right[k - 2], right[k - 1] = right[k - 2] + l[i] * y[i], right[k - 1] + l[i] * z[i]
      a[k - 2][k], a[k - 1][k], a[k][k - 2], a[k][k - 1] = -y[i], -z[i], -y[i], -z[i]
      right[k] = (y[i] ^ 2 + z[i] ^ 2 - 1) / 2
    else
      a[k][k] = 1
    end
  end
  local most, change = 0, solve()
  for i = 1, n do
    y[i], z[i], l[i] = y[i] + change[3 * i - 2], z[i] + change[3 * i - 1], l[i] + change[3 * i]
    most = math.max(most, math.abs(change[3 * i - 2]), math.abs(change[3 * i - 1]))
  end
  return most
end

--- Half of the braid at its least energy, as places y and z of nodes.
local function half_braid(n, h)
  local l, y, z, touches = {}, nodes(n, h)
  for i = 1, n do l[i] = 0 end
  for k = 1, 30 do
    if newton_step(y, z, l, touches, h, k == 1) < 1e-9 then break end
  end
  return y, z
end

--- The least energy of half of the braid, less that of the load and of what is bent by 1 at rest. The distance d of the strands and the
--- load m change it as d^(1/2) m^(3/2), and its derivative by d is the pressure: it is half of the energy of all.
local function by_energy(n)
  local far = 4
  local h = far / n
  local y, z = half_braid(n, h)
  local sum = h / 4 * (2 * (z[1] - z[0]) / h ^ 2) ^ 2
  for i = 1, n - 1 do
    for _, u in ipairs{ y, z } do sum = sum + h / 2 * ((u[i - 1] - 2 * u[i] + u[i + 1]) / h ^ 2) ^ 2 end
  end
  return (sum - (y[n] - y[n - 1]) / h + (far - h / 2) / 2) / 2 ^ 1.5
end

--- How far the strands are from each other at `x`, beyond the outer contact, over 2 h.
local function distance_by_shooting(x, n)
  local at, rate, force, gap, inner = table.unpack(shot(n))
  local u = strand(at, rate, 0, x - inner - gap)[1]
  return math.sqrt(u[1] ^ 2 + u[2] ^ 2)
end

--- The same by nodes, one of which is where the inner contact ends; with a multiple of 73 intervals up to there, another is at the outer
--- contact to a ten-thousandth of an interval. Beyond it nodes lie on a parabola.
local function distance_by_nodes(x, n)
  local h = shot(100)[5] / n
  local y, z = half_braid(math.ceil(4.2 / h), h)
  local i = math.floor(x / h)
  local t = x / h - i
  local function at(u) return u[i] + t * (u[i + 1] - u[i]) + t * (t - 1) / 2 * (u[i + 2] - 2 * u[i + 1] + u[i]) end
  return math.sqrt(at(y) ^ 2 + at(z) ^ 2)
end

--- By two numbers of intervals; contacts lie anywhere between nodes, and so errors change their sign.
local energy
local function by_energies()
  if not energy then
    local coarse, fine = by_energy(160), by_energy(320)
    energy = { fine, 2 * math.abs(fine - coarse) }
  end
  return energy[1], energy[2]
end

--- An answer by both computations: `factor` times what friction adds, plus `rest`.
local function ask(name, what, scale, factor, rest)
  return {
    name = name, what = what, scale = scale,
    methods = {
      { "shooting", function() return integrate.refine(function(n) return rest + factor * by_shooting(n) end, 10, 4, 5) end },
      {
        "energy",
        function()
          local value, error = by_energies()
          return rest + factor * value, factor * error
        end,
      },
    },
  }
end

--- The distance of the strands at `x` by both computations.
local function ask_distance(x)
  return {
    name = "apart_" .. x, what = "distance of both strands at X = " .. x .. ", over 2 h",
    methods = {
      { "shooting", function() return integrate.refine(function(n) return distance_by_shooting(x, n) end, 10, 4, 5) end },
      {
        "energy",
        function()
          local coarse, fine = distance_by_nodes(x, 73), distance_by_nodes(x, 146)
          return fine, 2 * math.abs(fine - coarse)
        end,
      },
    },
  }
end

local asks = { ask("friction", "what friction adds, sigma in the formulas", 1, 1, 0) }
for _, mu in ipairs{ 0.1, 0.2, 0.3 } do
  local factor = 2 * mu * math.sqrt(size)
  local what = "force that tightens a loop of R = " .. size .. " h with mu = " .. mu .. ", in B/(2 R^2), to the leading order"
  asks[#asks + 1] = ask("force_" .. mu, what, 1 + factor / 2, factor, 1)
end

--- Half of the distance of the strands at first, for entries: along y and z, over h, at X. They touch, and then spread as a parabola.
local function first_shape(x)
  local at, rate, touching = 2.55, -0.8, 2.7
  local t = math.abs(x)
  local u = { math.cos(middle + rate * t), math.sin(middle + rate * t) }
  if t > touching then u = strand(at, rate, 0, t - touching)[1] end
  return x < 0 and -u[1] or u[1], u[2]
end

local braid_case = {
  name = "braid", shape = first_shape,
  given = {
    { name = "radius", what = "of the strands, over the unit of length (2 h R)^(1/2)", value = 0.002 },
    { name = "half", what = "of the length of the strands", value = 4 },
  },
  ask = { ask_distance(3), ask_distance(4) },
}

return {
  title = "Knot: the force that tightens a loose overhand knot with friction",
  text = [[A long rope of radius h, which bends with B and neither stretches nor is twisted, is tied to an overhand knot (a trefoil) and pulled at both
ends. If it is loose, its loop is a circle of radius R much greater than h, its ends are straight, and both are joined by a short braid, in which two
strands are wound about each other by three half turns. Without friction, it is pulled by F = B/(2 R^2). With a coefficient of friction mu, a slowly
growing force has to overcome the friction of the strands, mu times the pressure between them. What is F (case loose)? Answers are those of the leading
order in h/R and mu (h/R)^(1/2); those of a real loop of R = 100 h differ by parts of about (h/R)^(1/2). To loosen the knot, friction acts the other way.
Case braid has only the two strands, without friction, from X = -4 to 4 with x = X L along them, L = (2 h R)^(1/2). They lie side by side along z in
the middle, where they are held on the axis, and are wound by three half turns. Moments of B/R bend one at its end at X = 4, the other at X = -4, both
toward y. They touch in the middle, up to X = 0.35, and at X = 2.68. How far are they from each other at X = 3 and 4? Slopes are small: answers are
those of h/L to 0, with h/L = 0.002 for solvers.]],
  formulas = {
    "F R^2/B = 1/2 + sigma mu (R/h)^(1/2)", "sigma = P h^(1/2) R^(3/2)/B, P the sum of the pressure between both strands",
    "half of their distance U h over X (2 h R)^(1/2): U'''' = p U, |U| >= 1, p >= 0, p (|U| - 1) = 0; U'' = (1, 0), (-1, 0) at the ends",
    "sigma = sum of p/2^(3/2)",
  },
  units = "forces in B/(2 R^2), lengths along the braid in (2 h R)^(1/2), across it in 2 h", groups = { "mu = 0.1, 0.2, 0.3", "R/h = 100" },
  models = { "bending", "contact of two rods, without friction (braid)" },
  made = "shooting by the Runge-Kutta method with free boundaries, beside the least energy of finite differences",
  published = "Audoly, Clauvelin and Neukirch 2007: sigma = 0.492",
  sees = { "units" },
  cases = { { name = "loose", given = {}, ask = asks }, braid_case },
}
