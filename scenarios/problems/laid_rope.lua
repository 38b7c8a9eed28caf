-- A rope is let down onto a rough plane: it bends, its end lies down, and what follows is laid. By shooting with the Runge-Kutta
-- method, and by rigid bars with springs; both with a free boundary, where the rope meets the plane.
local integrate = include("integrate")
-- Friction is so large that the end also stays if a rope consists of segments, which land one after the other.
local weight, push, mu, flat = 20, 0.5, 3, -math.pi / 2

--- What a hanging part of the length `hangs` is at its lower end, on which the plane acts by `side` along x and `up` along z: angle from
--- -z toward x, curvature, x and depth below the clamp, where its curvature is `bent`. By the Runge-Kutta method in `n` steps.
local function shot(bent, side, up, hangs, n)
  return integrate.rk4(function(s, y)
    local sine, cosine = math.sin(y[1]), math.cos(y[1])
    return { y[2], -side * cosine - (up - weight * (hangs - s)) * sine, sine, cosine }
  end, 0, hangs, { 0, bent, 0, 0 }, n)
end

--- The same by `n` rigid bars, which the clamp and each other hold by springs; a half of the weight of each is at each end. The angle of
--- the end is half a bar beyond the last middle.
local function bars(bent, side, up, hangs, n)
  local h, x, depth = hangs / n, 0, 0
  local angle = h / 2 * (bent + h / 4 * -side)
  for i = 1, n do
    local sine, cosine = math.sin(angle), math.cos(angle)
    x, depth = x + h * sine, depth + h * cosine
    bent = bent - h * (side * cosine + (up - weight * h * (n - i + 0.5)) * sine)
    if i < n then angle = angle + h * bent end
  end
  return { angle + h / 2 * bent, bent, x, depth }
end

--- The rope that lies: curvature at the clamp, both forces of the plane where it meets it, and the length that hangs. It meets the plane
--- along -x, does not bend there, and its end is where it was first.
local function laid(of, n)
  return integrate.newton(function(z)
    local y = of(z[1], z[2], z[3], z[4], n)
    return { y[1] - flat, y[2], y[3] - (1 - z[4]), y[4] - (1 - push) }
  end, { 7.5, 9, 44, 0.85 })
end

--- The rope whose end is about to lie down, when it needs most friction: curvature at the clamp, both forces, and the way of the clamp.
local function about_to_lie(of, n)
  return integrate.newton(function(z)
    local y = of(z[1], z[2], z[3], 1, n)
    return { y[1] - flat, y[2], y[3], y[4] - (1 - z[4]) }
  end, { 4.7, 11, 28, 0.3 })
end

local held = laid(shot, 400)

--- A question that both computations answer.
local ask = integrate.by_bars_too(shot, bars)

local function least(of, n)
  local y = about_to_lie(of, n)
  return y[2] / y[3]
end

local function side(of, n) return laid(of, n)[2] end

--- The plane also carries what lies on it.
local function up(of, n)
  local y = laid(of, n)
  return y[3] + weight * (1 - y[4])
end

return {
  title = "Laid rope: a heavy rope let down onto a rough plane",
  text = [[A thin straight rope of length L and weight w per length hangs along -z from a clamp and touches a level rough plane with its end. The clamp
goes down slowly by L/2, without turning; the rope bends in the plane of x and z, first toward x. Its end stays where it is and turns, until it lies
flat toward -x; the rope beyond it is then laid on the plane, on which it does not slide. It bends with B and neither stretches nor shears. What is
the least coefficient of friction at which its end stays (case least; most is needed when it is about to lie down)? With a coefficient of 3, what are
the forces of the plane on all of the rope at the end, and has the end moved (case laid)?]],
  formulas = {
    "B theta'' + H cos(theta) + (V - w (S - s)) sin(theta) = 0, x' = sin(theta), z' = -cos(theta), of a part 0 < s < S that hangs",
    "theta(0) = 0, theta(S) = -pi/2, theta'(S) = 0, x(S) = L - S, z(0) - z(S) = L/2; H and V + w (L - S) are asked for",
    "least: S = L, theta(L) = -pi/2, theta'(L) = 0, x(L) = 0, and H/V is asked for",
  },
  units = "lengths in L, forces in B/L^2", groups = { "w L^3/B = 20", "push/L = 0.5" },
  models = { "bending by large angles", "weight", "contact with a plane, of a part that grows", "friction" },
  made = "shooting by the Runge-Kutta method; beside rigid bars with springs, extrapolated",
  sees = { "units" },
  cases = {
    { name = "least", given = {}, ask = { ask("mu", "least coefficient of friction with which the end stays", 1, least) } },
    {
      name = "laid",
      given = {
        { name = "mu", what = "coefficient of friction", value = mu }, { name = "push", what = "by which the clamp goes down, in L", value = push },
        { name = "weight", what = "per length, in B/L^3", value = weight },
      },
      ask = {
        {
          name = "travel", what = "of the end along x, in L", scale = 1, exact = 0,
          -- What is left over of friction is positive, and so the end rests.
          methods = { { "bars", function() return math.max(0, least(bars, 400) - mu), 1e-12 end } },
        },
        ask("side", "force on the rope along x, in B/L^2", held[2], side),
        ask("up", "force on the rope along z, in B/L^2", held[3] + weight * (1 - held[4]), up),
      },
    },
  },
}
