-- Ziegler 1952: two links with springs under a force that turns with the second. Its flutter, a
-- vibration below it, and the growth above it.
local special, integrate = include("special_functions"), include("integrate")
local amplitude, below, above, time = 1e-4, 1.5, 3, 5

--- The matrix M^-1 K of the two angles, with M = [3 1; 1 1] and K = [2 - P, P - 1; -1, 1]; k = l = m = 1.
local function matrix(load)
  local a, b, c, d = 2 - load, load - 1, -1, 1
  return { (a - c) / 2, (b - d) / 2, (3 * c - a) / 2, (3 * d - b) / 2 }
end

--- The square of half the difference of its eigenvalues, the squared frequencies: from 0 on they are a pair of complex numbers.
local function discriminant(load)
  local m = matrix(load)
  return (m[1] - m[4]) ^ 2 / 4 + m[2] * m[3]
end

local exact = 3.5 - math.sqrt(2)

--- The angles a and b after `t`, from `a` and `b` at rest, by the Runge-Kutta method in `n` steps.
local function integrated(load, a, b, t, n)
  local m = matrix(load)
  local y = integrate.rk4(function(_, y)
    return { y[3], y[4], -m[1] * y[1] - m[2] * y[2], -m[3] * y[1] - m[4] * y[2] }
  end, 0, t, { a, b, 0, 0 }, n)
  return y[1], y[2]
end

--- The slowest frequency below flutter, and the angles of that vibration over the tip's displacement.
local function slowest()
  local m = matrix(below)
  local square = (m[1] + m[4]) / 2 - math.sqrt(discriminant(below))
  local ratio = (square - m[1]) / m[2] -- b over a
  return math.sqrt(square), 1 / (1 + ratio), ratio / (1 + ratio)
end

local frequency, first, second = slowest()

--- The frequency from the time at which the second angle of that vibration is first 0, a quarter of a period.
local function timed(n)
  return math.pi / 2 / special.root(function(t)
    local _, b = integrated(below, first, second, t, n)
    return -b
  end, 1, 5)
end

--- The tip's displacement at `time` over the initial one, above flutter, where squared frequencies are p + i q and p - i q: the
--- cosine of their roots times `time`, as a polynomial of the matrix, applied to equal angles.
local function grown()
  local m = matrix(above)
  local p, q = (m[1] + m[4]) / 2, math.sqrt(-discriminant(above))
  local size = math.sqrt(p * p + q * q)
  local x, y = time * math.sqrt((size + p) / 2), time * math.sqrt((size - p) / 2)
  local grow, shrink = math.exp(y), math.exp(-y)
  local real, imaginary = math.cos(x) * (grow + shrink) / 2, -math.sin(x) * (grow - shrink) / 2
  local factor = imaginary / q
  return real + factor * ((m[1] + m[2] + m[3] + m[4]) / 2 - p)
end

local tip = grown()

local function given(name, what, value) return { name = name, what = what, value = value } end

return {
  title = "Ziegler's pendulum: two links under a force that turns with the second",
  text = [[Two rigid links of length l stand on each other along z, with springs of the stiffness k at the foot and between them; the masses 2 m and m
are at the upper ends of the first and the second. A force P presses the upper end along the second link, and turns with it. There is no damping. At
which least P does it flutter? What is the frequency of its slower small vibration at P = 1.5 k/l, released from rest in the shape of that
vibration (case below)? At P = 3 k/l it is released from rest with equal small angles of both links: how far from the axis is the upper end at t = 5,
relative to the initial distance (case above)?]],
  formulas = {
    "3 a'' + b'' + (2 - P) a + (P - 1) b = 0, a'' + b'' - a + b = 0 for the angles a, b; k = l = m = 1", "P = (7/2 - sqrt(2)) k/l",
    "omega^2 = 1 - sqrt(1/2) at P = 1.5", "(a, b) = cos(sqrt(A) t) (a, b)_0, A = M^-1 K, with complex roots at P = 3",
  },
  units = "forces in k/l, times in l sqrt(m/k)", groups = { "P l/k", "amplitude/l = 1e-4" },
  models = { "a load that turns with a link", "inertia without damping" },
  made = "closed forms (flutter: Ziegler 1952); beside eigenvalues of the two equations of motion, and their integration by the Runge-Kutta method",
  sees = { "load" },
  cases = {
    {
      name = "flutter", given = {},
      ask = {
        {
          name = "load", what = "least P at which it flutters, in k/l", scale = exact, exact = exact,
          methods = {
            { "eigenvalues", function() return special.root(function(p) return -discriminant(p) end, 1, 3), 1e-12 end },
          },
        },
      },
    },
    {
      name = "below",
      given = {
        given("P", "load, in k/l", below), given("amplitude", "initial displacement of the upper end along x, in l", amplitude),
        given("a", "initial angle of the first link, over that displacement", first), given("b", "initial angle of the second link, over that displacement", second),
      },
      ask = {
        {
          name = "frequency", what = "angular frequency of the upper end, in sqrt(k/m)/l", scale = frequency, exact = math.sqrt(1 - math.sqrt(0.5)),
          methods = { { "integration", function() return integrate.refine(timed, 20, 4, 5) end } },
        },
      },
    },
    {
      name = "above",
      given = {
        given("P", "load, in k/l", above), given("amplitude", "initial displacement of the upper end along x, in l", amplitude),
        given("a", "initial angle of the first link, over that displacement", 0.5), given("b", "initial angle of the second link, over that displacement", 0.5),
        given("time", "at which the displacement is asked for, in l sqrt(m/k)", time),
      },
      ask = {
        {
          name = "growth", what = "displacement of the upper end at that time, over the initial one", scale = math.abs(tip), exact = tip,
          methods = {
            {
              "integration",
              function()
                return integrate.refine(function(n)
                  local a, b = integrated(above, 0.5, 0.5, time, n)
                  return a + b
                end, 25, 4, 5)
              end,
            },
          },
        },
      },
    },
  },
}
