-- Beck 1952: a cantilever under a force that turns with its tip. Two frequencies coincide, and it
-- flutters.
local special, integrate = include("special_functions"), include("integrate")

--- Beck's determinant for the load `load` and the squared frequency `square`, over that at rest.
local function beck(load, square)
  if square <= 0 then return 1 end
  local root, w = math.sqrt(load ^ 2 / 4 + square), math.sqrt(square)
  local a, b = math.sqrt(root + load / 2), math.sqrt(root - load / 2)
  local ch, sh = (math.exp(b) + math.exp(-b)) / 2, (math.exp(b) - math.exp(-b)) / 2
  return (load ^ 2 + 2 * square + 2 * square * math.cos(a) * ch + w * load * math.sin(a) * sh) / (load ^ 2 + 4 * square)
end

--- The same of `n` rigid bars with springs between them, masses at their ends: what is left at the tip.
local function bars(load, square, n)
  local h, left = 1 / n, {}
  for k = 1, 2 do
    local w, force, moment = 0, k == 1 and 1 or 0, k == 2 and 1 or 0
    local angle = h / 2 * moment
    for i = 1, n do
      w = w + h * angle
      moment = moment - h * (force + load * angle)
      if i < n then
        angle = angle + h * moment
        force = force - h * square * w
      end
    end
    left[k] = { force - h / 2 * square * w + load * angle, moment }
  end
  return left[1][1] * left[2][2] - left[1][2] * left[2][1]
end

--- The squared frequency between the two slowest where `f` is least, by thirds.
local function lowest(f)
  local low, high = 50, 250
  for _ = 1, 60 do
    local a, b = low + (high - low) / 3, high - (high - low) / 3
    if f(a) < f(b) then high = b else low = a end
  end
  return (low + high) / 2
end

--- The load at which the least value of `f(load, square)` between the two slowest frequencies is 0, and the frequency there.
local function flutter(f)
  local load = special.root(function(p) return f(p, lowest(function(q) return f(p, q) end)) end, 18, 22)
  return load, math.sqrt(lowest(function(q) return f(load, q) end))
end

local function frequency(f) return math.sqrt(special.root(function(q) return f(10, q) end, 5, 120)) end

local load, fluttering = flutter(beck)
local slow = math.sqrt(special.root(function(q) return beck(10, q) end, 5, 100))

--- Displacement and angle at x of the slowest vibration at the load 10, over the tip's displacement.
local function shape(x)
  local root = math.sqrt(25 + slow ^ 2)
  local a, b = math.sqrt(root + 5), math.sqrt(root - 5)
  local function at(y, c)
    local ch, sh = (math.exp(b * y) + math.exp(-b * y)) / 2, (math.exp(b * y) - math.exp(-b * y)) / 2
    local cosine, sine = math.cos(a * y), math.sin(a * y)
    return ch - cosine + c * (sh / b - sine / a), b * sh + a * sine + c * (ch - cosine), b * b * ch + a * a * cosine + c * (b * sh + a * sine)
  end
  local _, _, m0 = at(1, 0)
  local _, _, m1 = at(1, 1)
  local c = -m0 / (m1 - m0)
  local tip = at(1, c)
  local w, angle = at(x, c)
  return w / tip, angle / tip
end

return {
  title = "Beck's column: a force that turns with the tip",
  text = [[A thin straight rod of length L stands along z, clamped at its lower end. A force P presses its upper end along the rod, and turns with
it. It bends with B, neither stretches nor shears, and has the mass m per length. At which P does it begin to flutter, and with which frequency?
What is the frequency of its slowest small vibration at P = 10 B/L^2, released from rest in the shape of that vibration?]],
  formulas = {
    "B w'''' + P w'' + m w_tt = 0", "w = w' = 0 at z = 0; w'' = w''' = 0 at z = L",
    "P^2 + 2 q + 2 q cos(a) cosh(b) + omega P sin(a) sinh(b) = 0, q = omega^2, a^2 = sqrt(P^2/4 + q) + P/2, b^2 = sqrt(P^2/4 + q) - P/2, B = m = L = 1",
    "w = cosh(b z) - cos(a z) + c (sinh(b z)/b - sin(a z)/a), w''(L) = 0",
  },
  units = "lengths in L, forces in B/L^2, frequencies in sqrt(B/m)/L^2", groups = { "P L^2/B" },
  models = { "bending", "inertia without damping", "a load that turns with a section" },
  made = "closed form (Beck 1952: 20.05); beside rigid bars with springs, extrapolated",
  published = "Beck 1952: P = 20.05 B/L^2",
  sees = { "load" },
  cases = {
    {
      name = "flutter", given = {},
      ask = {
        {
          name = "load", what = "least P at which it flutters, in B/L^2", scale = load, exact = load,
          methods = { { "bars", function() return integrate.refine(function(n) return (flutter(function(p, q) return bars(p, q, n) end)) end, 25, 2, 4) end } },
        },
      },
    },
    {
      name = "below",
      given = {
        { name = "P", what = "load, in B/L^2", value = 10 }, { name = "amplitude", what = "initial displacement of the tip, in L", value = 1e-4 },
      },
      shape = shape,
      ask = {
        {
          name = "frequency", what = "angular frequency of the tip, in sqrt(B/m)/L^2", scale = slow, exact = slow,
          methods = { { "bars", function() return integrate.refine(function(n) return frequency(function(p, q) return bars(p, q, n) end) end, 25, 2, 4) end } },
        },
      },
    },
  },
}
