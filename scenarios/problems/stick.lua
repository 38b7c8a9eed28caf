-- A clamped rod is pushed onto a rough plane and buckles, and its tip sticks, or snaps away. By
-- shooting with the Runge-Kutta method, and by rigid bars with springs.
local integrate = include("integrate")
local push = 0.1

--- What is left at the tip, pushed by `side` along x and `up` along z, of a rod that begins with the curvature `bent`: curvature, x,
--- and what its height differs from that of the push. By the Runge-Kutta method in `n` steps.
local function shot(bent, side, up, n)
  local y = integrate.rk4(function(_, y)
    local sine, cosine = math.sin(y[1]), math.cos(y[1])
    return { y[2], -side * cosine - up * sine, sine, cosine }
  end, 0, 1, { 0, bent, 0, 0 }, n)
  return { y[2], y[3], y[4] - (1 - push) }
end

local function bars(bent, side, up, n)
  local h, place, height = 1 / n, 0, 0
  local angle = h / 2 * bent
  for i = 1, n do
    local sine, cosine = math.sin(angle), math.cos(angle)
    place, height = place + h * sine, height + h * cosine
    bent = bent - h * (side * cosine + up * sine)
    if i < n then angle = angle + h * bent end
  end
  return { bent, place, height - (1 - push) }
end

--- The buckled mode of a rod clamped at one end and hinged at the other, of the size that shortens it by the push: curvature at the
--- clamp and both forces.
local function guess()
  local k, sum = 4.493409457909064, 0
  for i = 0, 999 do
    local s = (i + 0.5) / 1000
    sum = sum + (math.cos(k * s) - 1 + k * math.sin(k * s)) ^ 2 / 1000
  end
  local a = math.sqrt(2 * push / sum) -- angle a (cos ks - 1 + k sin ks)
  return { a * k * k, a * k * k, k * k }
end

--- Curvature at the clamp and both forces where the tip sticks.
local function stuck(of, n)
  return integrate.newton(function(z) return of(z[1], z[2], z[3], n) end, guess())
end

local function least(of, n)
  local y = stuck(of, n)
  return y[2] / y[3]
end

--- Where the tip of a rod comes to rest that has snapped away: it is bent as by Euler's first load, and friction pushes it by `mu`
--- of the pressure. From the arc of a sine that shortens it by the push.
local function slipped(of, mu, n)
  local place
  integrate.newton(function(z)
    local left = of(z[1], mu * z[2], z[2], n)
    place = left[2]
    return { left[1], left[3] }
  end, { -math.sqrt(4 * push) * math.pi / 2, math.pi ^ 2 / 4 })
  return place
end

local mu = integrate.refine(function(n) return least(shot, n) end, 50, 4, 5)
local held = stuck(shot, 400)
local travel = slipped(shot, 0.98 * mu, 400)

--- A question that both computations answer.
local ask = integrate.by_bars_too(shot, bars)

--- The numbers of a case with `part` of the least friction.
local function given(part)
  return {
    { name = "mu", what = "coefficient of friction", value = part * mu }, { name = "push", what = "by which the clamp goes down, in L", value = push },
  }
end

return {
  title = "Stick or slip: a clamped rod pushed onto a rough plane",
  text = [[A thin straight rod of length L hangs along -z from a clamp and touches a level rough plane with its tip. The clamp goes down slowly by L/10,
without turning; the rod buckles in the plane of x and z, first toward x. It bends with B and neither stretches nor shears; its tip is free to turn.
What is the least coefficient of friction at which its tip sticks all the way? With less it snaps away, because the force that holds it grows
as it slips. Case sticks has 1.02 times that coefficient: what are the forces of the plane on the tip at the end? Case slips has 0.98 times that:
where does the tip come to rest after it has snapped away, as slowly as it can, without inertia?]],
  formulas = {
    "B theta'' + H cos(theta) + V sin(theta) = 0, x' = sin(theta), z' = -cos(theta)", "theta(0) = 0, theta'(L) = 0, z(0) - z(L) = 0.9 L",
    "x(L) = 0 and H/V = mu", "slips: H/V = mu of the case and x(L) < 0",
  },
  units = "lengths in L, forces in B/L^2", groups = { "push/L = 0.1" },
  models = { "bending by large angles", "contact with a plane", "friction" },
  made = "shooting by the Runge-Kutta method; beside rigid bars with springs, extrapolated",
  sees = { "friction" },
  cases = {
    { name = "least", given = {}, ask = { ask("mu", "least coefficient of friction with which the tip sticks", 1, least) } },
    {
      name = "sticks", given = given(1.02),
      ask = {
        {
          name = "travel", what = "x of the tip, in L", scale = math.abs(travel), exact = 0,
          -- What is left over of friction is positive, and so the tip rests.
          methods = { { "bars", function() return math.max(0, least(bars, 400) - 1.02 * mu), 1e-12 end } },
        },
        ask("side", "force on the tip along x, in B/L^2", held[2], function(of, n) return stuck(of, n)[2] end),
        ask("up", "force on the tip along z, in B/L^2", held[3], function(of, n) return stuck(of, n)[3] end),
      },
    },
    {
      name = "slips", given = given(0.98),
      ask = { ask("travel", "x of the tip where it comes to rest, in L", math.abs(travel), function(of, n) return slipped(of, 0.98 * mu, n) end) },
    },
  },
}
