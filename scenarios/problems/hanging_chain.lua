-- Small lateral vibrations of a slightly stretchable hanging chain, by a power series about its
-- free end, and by point masses.
local special, integrate = include("special_functions"), include("integrate")
local stretch = 1 / 100 -- of the chain by its weight at the top, w L/EA

--- The displacement at z from the free end, where it is 1, for the squared frequency `square` [g/L]:
--- z (1 + e z) u'' + u' + square (1 + e z)^2 u = 0.
local function series(square, z)
  local e, a, sum, power = stretch, { [-2] = 0, [-1] = 0, [0] = 1 }, 1, 1
  for n = 0, 60 do
    a[n + 1] = -(e * n * (n - 1) * a[n] + square * (a[n] + 2 * e * a[n - 1] + e * e * a[n - 2])) / (n + 1) ^ 2
    power = power * z
    sum = sum + a[n + 1] * power
  end
  return sum
end

--- The same at the top of a chain of `n` bars, with masses at their ends, from the free end on.
local function masses(square, n)
  local h, u, force = 1 / n, 1, 0
  for i = 0, n - 1 do
    force = force - square * h * (i == 0 and 0.5 or 1) * u
    local tension = (i + 0.5) * h
    u = u + force * h * (1 + stretch * tension) / tension
  end
  return u
end

local brackets = { { 1, 2 }, { 6.5, 8.5 } }

local function case(mode)
  local low, high = brackets[mode][1], brackets[mode][2]
  local exact = math.sqrt(special.root(function(q) return series(q, 1) end, low, high))
  return {
    name = "mode_" .. mode,
    given = {
      { name = "EA", what = "stiffness of stretch, in w L", value = 1 / stretch },
      { name = "amplitude", what = "displacement of the free end at first, over L", value = 1e-3 },
    },
    shape = function(z) return series(exact ^ 2, z) end,
    ask = {
      {
        name = "frequency", what = "angular frequency of the free end, in sqrt(g/L)", scale = exact,
        methods = {
          { "series", function() return exact, 1e-13 end },
          {
            "masses",
            function()
              return integrate.refine(function(n) return math.sqrt(special.root(function(q) return masses(q, n) end, low, high)) end, 100, 1, 2)
            end,
          },
        },
      },
    },
  }
end

return {
  title = "Hanging chain: its first two modes",
  text = [[A chain without bending stiffness, of length L and weight w L at rest, hangs along -z from a point, stretched by its weight. It is
released from rest in the shape of its first or second mode, which displaces its free end by L/1000 along x. What is the frequency of the
free end? Inextensible chains have the zeros of the Bessel function J0 over 2: 1.2024 and 2.7600.]],
  formulas = {
    "(T/(1 + T/EA) u')' + omega^2 (w/g) u = 0, T = w z, z from the free end, at rest", "u(0) finite, u(L) = 0",
    "u = sum a_n z^n, a_0 = 1, (n + 1)^2 a_(n+1) = -(e n (n - 1) a_n + q (a_n + 2 e a_(n-1) + e^2 a_(n-2))), e = w/EA, q = omega^2/g, L = 1",
  },
  units = "lengths in L, forces in w L, frequencies in sqrt(g/L)", groups = { "EA/(w L) = 100", "amplitude/L = 1e-3" },
  models = { "stretch", "weight", "inertia", "no bending, or as little as the solver needs" },
  made = "a power series; beside masses between bars, extrapolated",
  sees = { "direction" },
  cases = { case(1), case(2) },
}
