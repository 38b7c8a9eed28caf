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

--- How a warp phi that is a sum of products of `n` odd polynomials of Legendre in either direction changes the energy: the
--- symmetric matrix of its second derivatives, C times the integral of |grad phi|^2, and in a further column the negative of its first ones,
--- B t times that of X phi_Y - Y phi_X.
local function warp(n, B, C, t)
  local a, b, rows = wide / 2, thick / 2, {}
  -- Integrals over -1 to 1 of products of the polynomials of the degrees 2 i - 1 and 2 j - 1, and of their derivatives.
  local function product(i, j) return i == j and 2 / (4 * i - 1) or 0 end
  local function slopes(i, j)
    local degree = 2 * math.min(i, j) - 1
    return degree * (degree + 1)
  end
  for i = 1, n do
    for j = 1, n do
      local row = {}
      for k = 1, n do
        for m = 1, n do row[#row + 1] = C * (b / a * slopes(i, k) * product(j, m) + a / b * product(i, k) * slopes(j, m)) end
      end
      -- X times a polynomial integrates to 0 but for that of the degree 1.
      row[#row + 1] = -B * t * ((i == 1 and a * a * 4 / 3 or 0) - (j == 1 and b * b * 4 / 3 or 0))
      rows[#rows + 1] = row
    end
  end
  return rows
end

--- The energy that the best warp saves, twice: f A^-1 f of the rows A | f, of a positive matrix, by elimination.
local function saved(rows)
  local n, sum = #rows, 0
  for i = 1, n do
    sum = sum + rows[i][n + 1] ^ 2 / rows[i][i]
    for k = i + 1, n do
      local factor = rows[k][i] / rows[i][i]
      if factor ~= 0 then
        for m = i, n + 1 do rows[k][m] = rows[k][m] - factor * rows[i][m] end
      end
    end
  end
  return sum
end

--- The same torque by the least energy of a twist, over warps of `n` polynomials in either direction.
local function by_warp(l, n)
  local t, A, B, C = second(l)
  return A * t * t * polar - saved(warp(n, B, C, t))
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
