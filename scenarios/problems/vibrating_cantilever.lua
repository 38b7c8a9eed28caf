-- The slowest vibration of a cantilever with shear and rotary inertia (Timoshenko 1921), by closed
-- forms, and by differences on a staggered grid.
local special, integrate = include("special_functions"), include("integrate")
local radius = 0.05
local shear, inertia = 3 / 7 * 4 / radius ^ 2, radius ^ 2 / 4 -- k G A at nu = 0; of a unit of length; B = rho A = L = 1
local periods = 50

--- The parts of a vibration of the squared frequency `square`.
local function parts(square)
  local a = square / shear
  local half, free = (a + inertia * square) / 2, a * (inertia * square - shear)
  local root = math.sqrt(half * half - free)
  local alpha, beta = math.sqrt(root - half), math.sqrt(root + half)
  local p, q = (alpha ^ 2 + a) / alpha, (beta ^ 2 - a) / beta
  local ch, sh = (math.exp(alpha) + math.exp(-alpha)) / 2, (math.exp(alpha) - math.exp(-alpha)) / 2
  local c, s = math.cos(beta), math.sin(beta)
  local m = { p * alpha * ch + q * beta * c, p * alpha * sh + p * beta * s }
  local f = { (alpha - p) * sh - (q - beta) * s, (alpha - p) * ch - p / q * (beta - q) * c }
  return m[1] * f[2] - m[2] * f[1], { alpha = alpha, beta = beta, p = p, q = q, sigma = m[1] / m[2] }
end

--- The same determinant of force and moment at the tip, of `n` cells.
local function grid(square, n)
  local h, left = 1 / n, {}
  for k = 1, 2 do
    local w, force, moment = 0, k == 1 and 1 or 0, k == 2 and 1 or 0
    local angle = h / 2 * moment
    for i = 1, n do
      w = w + h * (angle + force / shear)
      moment = moment - h * (force + inertia * square * angle)
      if i < n then
        angle = angle + h * moment
        force = force - h * square * w
      end
    end
    left[k] = { force - h / 2 * square * w, moment }
  end
  return left[1][1] * left[2][2] - left[1][2] * left[2][1]
end

local low, high = 3.3 ^ 2, 3.6 ^ 2
local square = special.root(parts, low, high)
local frequency, _, of = math.sqrt(square), parts(square)

--- Displacement and angle at x of the first mode, over the tip's displacement.
local function shape(x)
  local function at(y)
    local plus, minus = math.exp(of.alpha * y), math.exp(-of.alpha * y)
    local ch, sh, c, s = (plus + minus) / 2, (plus - minus) / 2, math.cos(of.beta * y), math.sin(of.beta * y)
    return ch - c - of.sigma * (sh - of.p / of.q * s), of.p * sh + of.q * s - of.sigma * of.p * (ch - c)
  end
  local w, angle = at(x)
  local tip = at(1)
  return w / tip, angle / tip
end

local function given(name, what, value) return { name = name, what = what, value = value } end

return {
  title = "Vibrating cantilever: its first mode over fifty periods",
  text = [[A straight rod of length L and a round section of radius r = L/20 lies along x and is clamped at the origin. It bends with B, resists
stretch by 4 B/r^2, shear by 3/7 of that, and has the mass m per length and the rotary inertia m r^2/4. It is released from rest in the
shape of its first mode, which displaces its tip by L/10000 along z. What is the frequency of the tip over fifty periods, and the ratio of
its amplitude at their end to the initial one?]],
  formulas = {
    "B psi'' + K (w' - psi) = J psi_tt, K (w'' - psi') = m w_tt", "w = psi = 0 at x = 0; psi' = 0, w' = psi at x = L",
    "w = cosh(alpha x) - cos(beta x) - sigma (sinh(alpha x) - p/q sin(beta x))", "psi = p sinh(alpha x) + q sin(beta x) - sigma p (cosh(alpha x) - cos(beta x))",
  },
  units = "lengths in L, forces in B/L^2, frequencies in sqrt(B/m)/L^2", groups = { "r/L = 0.05", "amplitude/L = 1e-4" },
  models = { "bending", "shear and rotary inertia", "inertia without damping" },
  made = "closed form; beside differences on a staggered grid, extrapolated; and the conservation of energy, beside an integration",
  sees = { "damping" },
  cases = {
    {
      name = "mode_1",
      given = {
        given("r", "radius, in L", radius), given("amplitude", "displacement of the tip at first, in L", 1e-4), given("periods", "over which it vibrates", periods),
        given("alpha", "of the mode", of.alpha), given("beta", "of the mode", of.beta), given("p", "of the mode", of.p), given("q", "of the mode", of.q),
        given("sigma", "of the mode", of.sigma),
      },
      shape = shape,
      ask = {
        {
          name = "frequency", what = "angular frequency of the tip, in sqrt(B/m)/L^2", scale = frequency, exact = frequency,
          methods = {
            {
              "staggered",
              function()
                return integrate.refine(function(n) return math.sqrt(special.root(function(s) return grid(s, n) end, low, high)) end, 50, 2, 4)
              end,
            },
          },
        },
        {
          name = "amplitude", what = "amplitude after fifty periods, over the initial one", exact = 1,
          methods = {
            {
              "integration",
              function()
                return integrate.refine(function(n)
                  local y = integrate.rk4(function(_, y) return { y[2], -square * y[1] } end, 0, periods * 2 * math.pi / frequency, { 1, 0 }, n * periods)
                  return math.sqrt(y[1] ^ 2 + y[2] ^ 2 / square)
                end, 40, 5, 6)
              end,
            },
          },
        },
      },
    },
  },
}
