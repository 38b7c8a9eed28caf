-- A band that is twisted slightly, at rest or stretched: Saint-Venant's torsion of a rectangle.
local forms, integrate, least = include("neohookean_forms"), include("integrate"), include("least_energy")
local nu, wide, thick = 0.45, 3, 1

--- Saint-Venant's torsion constant of a rectangle, by his series (1855).
local function constant()
  local sum = 0
  for n = 1, 59, 2 do
    local a = n * math.pi * wide / (2 * thick)
    sum = sum + (1 - 2 / (math.exp(2 * a) + 1)) / n ^ 5
  end
  return wide * thick ^ 3 / 3 * (1 - 192 * thick / (math.pi ^ 5 * wide) * sum)
end

local polar = wide * thick * (wide ^ 2 + thick ^ 2) / 12

--- Torque over twist, per length at rest, over E, of a band at the stretch `l`: the slight twist adds to the uniform stretch.
local function closed(l)
  local mu = forms.moduli(1, nu)
  local t = forms.stretched(1, nu, l)
  local c, part = mu * (1 - 1 / (l * l + 2 * t * t + 1)), (t / l) ^ 2
  return c * t * t * (polar * (1 - part) + part * constant())
end

--- Second derivatives of the energy by the shears F_yz and F_zy at the stretch `l`: by each, and by both.
local function second(l)
  local t = forms.stretched(1, nu, l)
  local function energy(a, b) return forms.energy(1, nu, { t, 0, 0, 0, t, a, 0, b, l }) end
  local function at(n, k)
    local d = 0.1 / n
    if k == 1 then return (energy(d, 0) - 2 * energy(0, 0) + energy(-d, 0)) / (d * d) end
    if k == 2 then return (energy(d, d) - energy(d, -d) - energy(-d, d) + energy(-d, -d)) / (4 * d * d) end
    return (energy(0, d) - 2 * energy(0, 0) + energy(0, -d)) / (d * d)
  end
  local out = {}
  for k = 1, 3 do out[k] = integrate.refine(function(n) return at(n, k) end, 1, 2, 4) end
  return t, out[1], out[2], out[3]
end

--- The same by the least energy of a twist with a warp that is a sum of products of `n` odd polynomials of Legendre each.
local function by_warp(l, n)
  local t, A, B, C = second(l)
  local a, b = wide / 2, thick / 2
  -- Integrals of products of these and of their derivatives over -1 to 1.
  local function mass(i) return 2 / (4 * i - 1) end -- of the degree 2 i - 1
  local function stiff(i, j)
    local k = 2 * math.min(i, j) - 1
    return k * (k + 1)
  end
  local M, size = {}, n * n
  local function number(i, j) return (i - 1) * n + j end
  for i = 1, n do
    for j = 1, n do
      local row = {}
      for k = 1, n do
        for m = 1, n do
          row[number(k, m)] = C * ((j == m and b / a * stiff(i, k) * mass(j) or 0) + (i == k and a / b * mass(i) * stiff(j, m) or 0))
        end
      end
      -- B times t of the integral of X phi_Y - Y phi_X: products with the polynomial of degree 1 alone are not 0.
      row[size + 1] = -B * t * ((i == 1 and a * a * 2 / 3 * 2 or 0) - (j == 1 and b * b * 2 / 3 * 2 or 0))
      M[number(i, j)] = row
    end
  end
  local load = {}
  for i = 1, size do load[i] = M[i][size + 1] end
  for i = 1, size do -- elimination; the matrix is positive
    for k = i + 1, size do
      local factor = M[k][i] / M[i][i]
      if factor ~= 0 then
        for m = i, size + 1 do M[k][m] = M[k][m] - factor * M[i][m] end
      end
    end
  end
  local work = 0
  for i = size, 1, -1 do
    local sum = M[i][size + 1]
    for m = i + 1, size do sum = sum - M[i][m] * M[m][size + 1] end
    M[i][size + 1] = sum / M[i][i]
    work = work + M[i][size + 1] * load[i]
  end
  return A * t * t * polar - work
end
local function case(name, stretch)
  local stiffness = closed(stretch)
  local function computed()
    local coarse, fine = by_warp(stretch, 5), by_warp(stretch, 10)
    -- Of order 8, for the corners; the error is what is left if it is only 5.
    return fine + (fine - coarse) / 255, math.abs(fine - coarse) / 31 + 1e-10
  end
  return {
    name = name,
    given = {
      { name = "nu", what = "Poisson's ratio", value = nu }, { name = "wide", what = "width, in h", value = wide },
      { name = "length", what = "at rest, in h", value = 32 }, { name = "stretch", what = "length over that at rest", value = stretch },
      { name = "torque", what = "at both ends, over E h^3", value = 1e-4 * stiffness },
    },
    ask = {
      {
        name = "stiffness", what = "torque over the angle per length at rest far from the ends, over E h^4", exact = stiffness, scale = stiffness,
        methods = { { "warp", computed } },
      },
    },
  }
end

return {
  title = "Twisted band: a band of rectangular section, slightly twisted, at rest and stretched",
  text = [[A straight band of thickness h, width 3 h and length 32 h, of a stable Neo-Hookean solid (Smith, de Goes and Kim 2018) with Young's
modulus E and Poisson's ratio 0.45, is held by plates at its ends, on which these glide without friction, at the distance of its length
(case rest) or 1.2 of it (case stretched). Opposite torques about its axis act on its ends and twist it slightly, by 1e-4/h. Its sections are
free to warp where they are far from the ends; the ends disturb it over about the width. What is the torque over the angle per length at rest?
A solver twists the band by the given torque, and reads the angle between sections that are 8 h from the middle.]],
  formulas = {
    least.law[1], least.law[2], "rest: G J, J = w h^3/3 (1 - 192 h/(pi^5 w) sum over odd n of tanh(n pi w/(2 h))/n^5), w = 3 h",
    "stretched by l, t across: c t^2 (I (1 - t^2/l^2) + J t^2/l^2), c = mu (1 - 1/(l^2 + 2 t^2 + 1)), I = w h (w^2 + h^2)/12",
  },
  units = "lengths in h, torques in E h^3", groups = { "nu = 0.45", "w/h = 3", "stretch = 1, 1.2", "angle per length = 1e-4/h" },
  models = { "torsion of a section that is no disc", "what tension adds to it (stretched)" },
  made = "closed form: Saint-Venant's series, and a slight twist of a stretched band; beside the least energy of a twist with a warp of polynomials, by differences of the law",
  published = "a disc of the same area is 1.8 times as stiff at rest",
  sees = { "torsion", "tension" },
  cases = { case("rest", 1), case("stretched", 1.2) },
}
