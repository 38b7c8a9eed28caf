-- A ruck: a heavy strip on a rough plane, a part of which is lifted (Vella, Boudaoud and Adda-Bedia 2009). Friction alone holds its
-- ends together. By shooting with the Runge-Kutta method, and by rigid bars with springs; with a free boundary, where it is lifted.
local integrate = include("integrate")
local excess, length = 1, 10

--- What is left of a half of the ruck, of the length `half`, under the push `push`: its slope in the middle, and what it is longer than
--- its extent by, beyond the half of the excess `of`. Also its height. By the Runge-Kutta method in `n` steps.
local function shot(half, push, of, n)
  local y = integrate.rk4(function(s, y)
    local sine, cosine = math.sin(y[1]), math.cos(y[1])
    return { y[2], (half - s) * cosine - push * sine, 1 - cosine, sine }
  end, 0, half, { 0, 0, 0, 0 }, n)
  return { y[1], y[3] - of / 2 }, y[4]
end

--- The same by `n` bars with springs between them, the first of which lies and is just about to be lifted. The slope in the middle is
--- the mean of those before and after its joint.
local function bars(half, push, of, n)
  local h, angle, before, moment, longer, height = half / n, 0, 0, 0, 0, 0
  for i = 1, n do
    local sine, cosine = math.sin(angle), math.cos(angle)
    longer, height, before = longer + h * (1 - cosine), height + h * sine, angle
    moment = moment + h * (h * (n - i + 0.5) * cosine - push * sine)
    angle = angle + h * moment
  end
  return { (before + angle) / 2, longer - of / 2 }, height
end

--- The half length and the push of a ruck of little slope: theta = ((A - u) - A cos(u) + sin(u))/k^3, u = k s, A = tan(A).
local function guess(of)
  local a, sum = 4.493409457909064, 0
  for i = 0, 999 do
    local u = a * (i + 0.5) / 1000
    sum = sum + ((a - u) - a * math.cos(u) + math.sin(u)) ^ 2 * a / 1000
  end
  local k = (sum / of) ^ (1 / 7)
  return { a / k, k * k }
end

--- Half length, push and height of the ruck of the excess `of`, which grows from a small one.
local function ruck(by, of, n)
  local z, parts = guess(of / 4), 4
  for k = 1, parts do
    local steps = k == parts and n or 50
    z = integrate.newton(function(z) return (by(z[1], z[2], of * k / parts, steps)) end, z)
  end
  local _, height = by(z[1], z[2], of, n)
  return z[1], z[2], height
end

local half, push, height = ruck(shot, excess, 200)
local mu = 2 * push / length

--- Whether a ruck that becomes smaller pushes more, so that friction that does not hold it at first does not hold it later.
local function grows()
  local before = push
  for k = 9, 1, -1 do
    local _, now = ruck(bars, excess * k / 10, 100)
    if now < before then return false end
    before = now
  end
  return true
end

local ask = integrate.by_bars_too(shot, bars)
local function of_push(of, n)
  local _, p = ruck(of, excess, n)
  return p
end
local function of_height(of, n)
  local _, _, z = ruck(of, excess, n)
  return z
end

local function given(part)
  return {
    { name = "mu", what = "coefficient of friction", value = part * mu }, { name = "excess", what = "of length over the distance of the ends at first, in (B/w)^(1/3)", value = excess },
    { name = "length", what = "of the strip, in (B/w)^(1/3)", value = length },
  }
end

return {
  title = "Ruck: a heavy strip on a rough plane, which friction keeps lifted",
  text = [[A thin straight strip of the length 10 (B/w)^(1/3), which bends with B in a plane and neither stretches nor shears, and has the weight w per
length, lies on a level rough plane. Its ends are closer by (B/w)^(1/3) than its length, and so a part in its middle is lifted, a ruck. Nothing but friction
holds it. What is the least coefficient of friction at which the ruck stays? Case holds has 1.02 times that: how high is the middle above the plane, and how
far do the ends move? Case slides has 0.98 times that: a smaller ruck pushes more, so nothing holds it any more. How far has each end moved as all lies flat?
With which force does the ruck push (push)?]],
  formulas = {
    "B theta'' + P sin(theta) = w (S - s) cos(theta), x' = cos(theta), z' = sin(theta), 0 < s < S", "s = 0: theta = theta' = 0; s = S: theta = 0, the middle",
    "S - x(S) = d/2, d the excess", "mu = 2 P/(w L); height z(S)", "small d: P = k^2 (B w^2)^(1/3), S = 4.4934/k (B/w)^(1/3)",
  },
  units = "lengths in (B/w)^(1/3), forces in (B w^2)^(1/3)", groups = { "L (w/B)^(1/3) = 10", "d (w/B)^(1/3) = 1" },
  models = { "bending by large angles", "weight", "contact with a plane, of a part that changes", "friction" },
  made = "shooting by the Runge-Kutta method; beside rigid bars with springs, extrapolated",
  published = "Vella, Boudaoud and Adda-Bedia 2009: rucks of little slope",
  sees = { "friction" },
  cases = {
    {
      name = "least", given = {},
      ask = {
        ask("mu", "least coefficient of friction with which the ruck stays", 1, function(of, n) return 2 * of_push(of, n) / length end),
        ask("push", "force along the strip in the ruck, in (B w^2)^(1/3)", push, of_push),
      },
    },
    {
      name = "holds", given = given(1.02), shape = function() return half, push end,
      ask = {
        ask("height", "of the middle above the plane, in (B/w)^(1/3)", height, of_height),
        {
          name = "travel", what = "of the ends, in (B/w)^(1/3)", scale = excess / 2, exact = 0,
          -- What is left over of friction is positive, and so the ends rest.
          methods = { { "bars", function() return math.max(0, 2 * of_push(bars, 400) / length - 1.02 * mu), 1e-12 end } },
        },
      },
    },
    {
      name = "slides", given = given(0.98), shape = function() return half, push end,
      ask = {
        {
          name = "travel", what = "of each end until all lies flat, in (B/w)^(1/3)", scale = excess / 2, exact = excess / 2,
          methods = { { "bars", function() return grows() and 2 * of_push(bars, 400) / length > 0.98 * mu and excess / 2 or 0, 1e-12 end } },
        },
      },
    },
  },
}
