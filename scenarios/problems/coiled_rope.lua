-- A rope that is let down onto a plane coils (Mahadevan and Keller 1996, Habibi, Ribe and Bonn 2007, Jawed et al. 2014). How it coils
-- steadily, as a rope that is fed from a fixed height; and how a rope, whose end is
-- held on the plane beside its clamp, lays itself down as the clamp goes down. Both by shooting with the Runge-Kutta method, and by rigid bars
-- with springs; with a free boundary, where the rope meets the plane. No torque twists the rope, so that it bends only.
local integrate = include("integrate")
local weight, beside, start, first, second = 100, 0.25, 0.75, 0.5, 0.28
local heavy, inside = 50, 0.27 -- of the rope that is fed

--- The vector product, as three numbers.
local function cross(ax, ay, az, bx, by, bz) return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx end

--- The direction t rotated by `by` times the vector m, which is perpendicular to it.
local function rotated(t, m, by)
  local x, y, z = by * m[1], by * m[2], by * m[3]
  local angle = math.sqrt(x * x + y * y + z * z)
  local c, s = math.cos(angle), angle > 0 and math.sin(angle) / angle or 1
  local u, v, w = cross(x, y, z, t[1], t[2], t[3])
  return { c * t[1] + s * u, c * t[2] + s * v, c * t[3] + s * w }
end

--- A hanging part of the length `hangs` and the weight `w` per length, which begins at a clamp with the moment z[1], z[2] and the force
--- z[3..5], by the Runge-Kutta method in `n` steps: its place, direction and moment at the end, at which it may also be in contact.
local function shot(z, hangs, w, n)
  local y = integrate.rk4(function(s, y)
    local up = z[5] + w * s
    local u1, u2, u3 = cross(y[7], y[8], y[9], y[4], y[5], y[6])
    return { y[4], y[5], y[6], u1, u2, u3, cross(z[3], z[4], up, y[4], y[5], y[6]) }
  end, 0, hangs, { 0, 0, 0, 0, 0, -1, z[1], z[2], 0 }, n)
  return { y[1], y[2], y[3] }, { y[4], y[5], y[6] }, { y[7], y[8], y[9] }
end

--- The same by `n` rigid bars with springs between them; a half of the weight of each is at each end. `follows` is whether a bar that lies
--- follows; else there is half a bar to the end, as there is from the clamp. Also returns the direction of the last bar, and calls
--- `told(i, x)` with the place of the end of each bar.
local function bars(z, hangs, w, n, follows, told)
  local h, x, t, m = hangs / n, { 0, 0, 0 }, { 0, 0, -1 }, { z[1], z[2], 0 }
  --- The moment `part` of a bar further, where the force is that at `s`.
  local function moved(s, part)
    local u1, u2, u3 = cross(t[1], t[2], t[3], z[3], z[4], z[5] + w * s)
    return { m[1] - part * h * u1, m[2] - part * h * u2, m[3] - part * h * u3 }
  end
  t = rotated(t, moved(0, 0.25), h / 2) -- by the mean of half a bar
  for i = 1, n do
    if i > 1 then t = rotated(t, m, h) end
    for k = 1, 3 do x[k] = x[k] + h * t[k] end
    m = moved(h * (i - 0.5), 1)
    if told then told(i, x) end
  end
  return x, follows and rotated(t, m, h) or rotated(t, moved(hangs, -0.25), h / 2), m, t
end

--- A rope that coils steadily under a clamp at the height 1, with the weight `w`: z[1..5], the length that hangs, and the radius. It meets
--- the plane along the coil, bends there as the coil does, and not up.
local function coil(of, w, n, guess)
  return integrate.newton(function(z)
    local x, t, m = of(z, z[6], w, n)
    local inward, _, up = cross(m[1], m[2], m[3], t[1], t[2], t[3])
    return { x[1] - z[7], x[2], x[3] + 1, t[1], t[3], up, inward + 1 / z[7] }
  end, { table.unpack(guess) })
end

--- The hanging part, of the length `hangs`, of a rope that meets the plane at x, y in the direction `phi` and does not bend up there:
--- z[1..5], and the height of the clamp. Of bars, the last one has just come to lie.
local function laying(of, hangs, x, y, phi, n, z, follows)
  local c, s = math.cos(phi), math.sin(phi)
  return integrate.newton(function(z)
    local p, t, m, last = of(z, hangs, weight, n, follows)
    local _, _, up = cross(m[1], m[2], m[3], t[1], t[2], t[3])
    return { p[1] - x, p[2] - y, p[3] + z[6], c * t[2] - s * t[1], t[3], last and last[3] or up }
  end, { table.unpack(z) })
end

local guess = { -2.57, 0.42, -4, -19, -74, start } -- as the rope begins to lie

--- The curvature in the plane where a hanging part meets it.
local function curvature(z, hangs, n)
  local _, t, m = shot(z, hangs, weight, n)
  local u1, u2 = cross(m[1], m[2], m[3], t[1], t[2], t[3])
  return (t[1] * u2 - t[2] * u1) / math.sqrt(t[1] ^ 2 + t[2] ^ 2)
end

--- How the rope lies down, up to its middle: heights of the clamp and places of the middle meanwhile. The place where it meets the plane moves
--- back along the rope, as by the Runge-Kutta method, and its direction by the curvature there.
local function laid_by_shooting(n)
  local z, y, steps, list = guess, { beside, 0, math.pi / 2 }, n // 4, {}
  n = n // 2
  local function rate(lies, y)
    z = laying(shot, 1 - lies, y[1], y[2], y[3], n, z)
    return { -math.cos(y[3]), -math.sin(y[3]), -curvature(z, 1 - lies, n) }
  end
  for i = 0, steps do
    local from = i / (2 * steps)
    rate(from, y)
    local middle = shot(z, 0.5, weight, n)
    list[i + 1] = { z[6], middle[1], middle[2], middle[3] + z[6] }
    if i < steps then y = integrate.rk4(rate, from, from + 1 / (2 * steps), y, 1) end
  end
  return list
end

--- The same of bars, one of which after the other comes to lie.
local function laid_by_bars(n)
  local z, x, y, phi, list = guess, beside, 0, math.pi / 2, {}
  for i = 0, n // 2 do
    local hangs, middle = (n - i) / n, nil
    z = laying(bars, hangs, x, y, phi, n - i, z, i > 0)
    local _, _, _, last = bars(z, hangs, weight, n - i, i > 0, function(k, p)
      if 2 * k == n then middle = { p[1], p[2], p[3] } end
    end)
    list[i + 1] = { z[6], middle[1], middle[2], middle[3] + z[6] }
    x, y, phi = x - last[1] / n, y - last[2] / n, math.atan(last[2], last[1])
  end
  return list
end

local lists = {}
local function laid(of, n)
  local key = (of == bars and -1 or 1) * n
  lists[key] = lists[key] or (of == bars and laid_by_bars or laid_by_shooting)(n)
  return lists[key]
end

--- Component `k` of the middle under a clamp at the height `first`, by the polynomial through six moments about that height.
local function hangs_at(of, n, k)
  local list, from = laid(of, n), 1
  while from < #list - 5 and list[from + 3][1] > first do from = from + 1 end
  local p = {}
  for i = 0, 5 do p[i] = list[from + i][k + 1] end
  for width = 1, 5 do
    for i = 0, 5 - width do
      local a, b = list[from + i][1], list[from + i + width][1]
      p[i] = ((first - b) * p[i] + (a - first) * p[i + 1]) / (a - b)
    end
  end
  return p[0]
end

local steady_guess = { -1.95, 0.3203, -2.2885, -10.8865, -42.604, 1.3205, 0.3031 } -- of the heavy rope

--- The hanging part of a heavy rope below a clamp at the height 1, which meets the plane at `y` (x, y and its direction), and its curvature in
--- the plane there: z[1..5] and the length that hangs.
local function hanging(of, y, n, z, w)
  local c, s, curved = math.cos(y[3]), math.sin(y[3])
  z = integrate.newton(function(z)
    local p, t, m = of(z, z[6], w, n)
    local a, b, up = cross(m[1], m[2], m[3], t[1], t[2], t[3])
    curved = (t[1] * b - t[2] * a) / math.sqrt(t[1] ^ 2 + t[2] ^ 2)
    return { p[1] - y[1], p[2] - y[2], p[3] + 1, c * t[2] - s * t[1], t[3], up }
  end, { table.unpack(z) })
  return z, curved
end

--- Where the rope lies that is fed, at the length 1 from its end, as it lies down in steps: by the Runge-Kutta method, or of bars by the
--- midpoint rule.
local function fed(of, n)
  local z = { table.unpack(steady_guess, 1, 6) }
  local function rate(_, y)
    local curved
    z, curved = hanging(of, y, n, z, heavy)
    return { math.cos(y[3]), math.sin(y[3]), curved }
  end
  local y = { inside, 0, math.pi / 2 }
  if of == shot then return integrate.rk4(rate, 0, 1, y, n // 6) end
  local steps = n // 3
  for _ = 1, steps do
    local half, k = {}, rate(0, y)
    for i = 1, 3 do half[i] = y[i] + k[i] / (2 * steps) end
    k = rate(0, half)
    for i = 1, 3 do y[i] = y[i] + k[i] / steps end
  end
  return y
end

local feds = {}
local function fed_once(of, n)
  local key = (of == bars and -1 or 1) * n
  feds[key] = feds[key] or fed(of, n)
  return feds[key]
end

--- How deviations from a steady coil grow: dr' = -da and da' = a_r dr + k_a da per length that lies, of the distance r from the axis and
--- the angle a to the circle, for a_r = dk/dr + 1/R^2. The real part of the eigenvalue, times R.
local function growth(of, w, n, guess)
  local z = coil(of, w, n, guess)
  local R, step = z[7], 1e-3
  local function curved(a)
    local _, k = hanging(of, { R, 0, math.pi / 2 + a }, n, { table.unpack(z, 1, 6) }, w)
    return k
  end
  return R * (8 * (curved(step) - curved(-step)) - curved(2 * step) + curved(-2 * step)) / (24 * step)
end

--- Questions that both computations answer.
local ask, asks = integrate.by_bars_too(shot, bars, 36), {}
for k, axis in ipairs{ "x", "y", "z" } do
  asks[k] = ask(axis .. "_hangs", axis .. " of the middle at t_1", 1, function(of, n) return hangs_at(of, n, k) end)
end
for k, axis in ipairs{ "x", "y" } do
  asks[k + 3] = ask(axis .. "_lies", axis .. " of the middle at t_2", 1, function(of, n)
    local list = laid(of, n)
    return list[#list][k + 1]
  end)
end

local function steady(w, z)
  return {
    ask("radius", "of the coil, in H", 1, function(of, n) return coil(of, w, n, z)[7] end),
    ask("hangs", "length that hangs, in H", 1, function(of, n) return coil(of, w, n, z)[6] end),
    ask("growth", "rate at which deviations from the coil grow, per radian of it", 1, function(of, n) return growth(of, w, n, z) end),
  }
end

local ask_fed, fed_asks = integrate.by_bars_too(shot, bars, 42), {}
for k, axis in ipairs{ "x", "y" } do
  fed_asks[k] = ask_fed(axis .. "_lies", axis .. " of the point at the length H from the end, in H", 1, function(of, n) return fed_once(of, n)[k] end)
end

local function given(name, what, value) return { name = name, what = what, value = value } end

return {
  title = "Coiled rope: a rope that coils as it is let down onto a rough plane",
  text = [[A thin straight rope, which bends with B and neither stretches nor shears, comes down along -z from a clamp and lies down on a level rough
plane, on which it does not slide. Everything is slow: there is no inertia. No torque twists it: clamps hold its place and direction, and let it turn
about itself. Steady coiling: a rope of the weight w per length is fed at the height H. Under the clamp it coils with the radius R; the shape of the
part that hangs rotates about the vertical with the rate U/R, U being the speed at which it is fed. What are R and the length that hangs, without
weight (case elastic) and with w H^3/B = 50 (case heavy)? Such a coil is an equilibrium that is not stable: at which rate do small deviations
from it grow? Feeding (case fed): a rope with w H^3/B = 50 comes down through a nozzle, which clamps it at the origin at the height H. Its end is
held on the plane at x = 0.27 H, y = 0, and points along y. It is fed, and lies down from its end, at first near the coil. Where does the point
lie that is the length H from its end? Letting down (case let_down): a rope of the length L and w L^3/B = 100 hangs from a clamp at
the origin at the height 0.75 L; its end is held on the plane at x = L/4, y = 0, and points along y. The clamp goes down along z, by t_1 to the height
L/2, by t_2 to 0.28 L; the rope lies down more and more, from its end. Where is its middle at t_1, when it hangs (z above the plane), and at t_2, when
it lies? The coefficient of friction is 3 (fed: 1). Nowhere does the part that hangs have a loop, with which there are other equilibria.]],
  formulas = {
    "r' = t, B t' = m x t, m' = n x t, n' = w e_z, 0 < s < S; m = B t x t'", "s = 0: r = (0, 0, h), t = -e_z, h the height of the clamp",
    "s = S: r = (x, y, 0), t = (cos(phi), sin(phi), 0), t'_z = 0; t' = k (-sin(phi), cos(phi), 0)",
    "elastic, heavy: h = H, (x, y) = (R, 0), phi = pi/2, k = 1/R",
    "fed: h = H; along the rope that lies d/ds of x, y, phi is cos(phi), sin(phi), k(x, y, phi) from 0.27 H, 0, pi/2",
    "growth: that of x, y, phi near the coil: R dk/dphi/2 at fixed x, y",
    "let_down: d/dS of x, y, phi is cos(phi), sin(phi), k(x, y, phi, S); S = L: L/4, 0, pi/2; h = h(x, y, phi, S)",
  },
  units = "lengths in H (elastic, heavy, fed) or L (let_down), forces in B/L^2", groups = { "w H^3/B = 0, 50", "w L^3/B = 100", "h/L = 0.5, 0.28" },
  models = { "bending by large angles in space", "weight", "contact with a plane, of a part that grows", "friction" },
  made = "shooting by the Runge-Kutta method, also along the rope that lies; beside rigid bars with springs, which come to lie one after the other. The motion of viper's rods in contact comes to let_down within 4e-4 with 32 segments, by the order 2",
  sees = { "units" },
  cases = {
    { name = "elastic", given = {}, ask = steady(0, { -2.1559, 0.4617, -2.8512, -2.1559, 3.5085, 1.792, 0.681 }) },
    { name = "heavy", given = {}, ask = steady(heavy, steady_guess) },
    {
      name = "fed",
      given = {
        given("mu", "coefficient of friction", 1), given("weight", "per length, in B/H^3", heavy), given("beside", "x of the end, in H", inside),
      },
      ask = fed_asks,
    },
    {
      name = "let_down",
      given = {
        given("mu", "coefficient of friction", 3), given("weight", "per length, in B/L^3", weight),
        given("beside", "x of the end, in L", beside), given("start", "height of the clamp at first, in L", start),
        given("first", "height of the clamp at t_1, in L", first), given("second", "height of the clamp at t_2, in L", second),
      },
      ask = asks,
    },
  },
}
