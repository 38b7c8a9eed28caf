-- Nets of rods (figs. 1 and 12 of the paper on position-based rods, without their surfaces and
-- cloth). "ball": a ball of 100 knots, ten rings and ten meridians, with a tentacle on each knot,
-- is thrown at a half-plane with friction. "ring": a square net is pulled through a ring that is
-- narrower than it. Crossings of rods are rigid bodies. "woven": wires that go over and under each
-- other, with contact and friction and nothing else between them, in a frame that holds their ends;
-- a heavy ball falls into them.
local radius, density = 0.01, 1000

-- Gates of a throw, before anything touches: momentum and kinetic energy of the mass [kg] after so many steps. Gravity is added
-- to the speed, the ball moves by it, and then damping divides it.
local function flies(s, mass, steps)
  local h, x, z = s.step, 1, -3
  for _ = 1, steps do x, z = x / (1 + 0.5 * h), (z - 9.81 * h) / (1 + 0.5 * h) end
  for component, speed in pairs{ x = x, z = z } do
    s:gate{
      name = "momentum of the throw, " .. component, quantity = "momentum", component = component, measure = "value",
      at = steps * h, near = mass * speed, tolerance = 1e-10,
      reason = "implicit Euler's own throw: rounding, 1e-16 for each of some 1e4 sums",
    }
  end
  s:gate{
    name = "energy of the throw", quantity = "energy/kinetic", measure = "value", at = steps * h,
    at_least = (1 - 2e-10) * 0.5 * mass * (x ^ 2 + z ^ 2),
    reason = "that of its momentum, to rounding; what moves within the ball adds to it",
  }
end

-- The mass of nodes at which segments of these masses meet. Where three or more do is a rigid body, whose two ghosts have half
-- of the mean of the segments' besides.
local function total(meet)
  local mass = 0
  for _, at in pairs(meet) do
    local sum = 0
    for _, m in ipairs(at) do sum = sum + m end
    mass = mass + sum / 2 + (#at > 2 and sum / #at / 2 or 0)
  end
  return mass
end

local function ball(s, p)
  local rings, meridians, R = 10, 10, 0.3
  local knot, poles = {}, {}
  local place, meet = {}, {} -- of the nodes: at rest, and the masses of the segments there
  local function node(x, y, z)
    local new = s:node{ position = { x, y, z + 0.8 }, radius = radius, velocity = { 1, 0, -3 } }
    place[new], meet[new] = { x, y, z }, {}
    return new
  end
  local function join(a, b)
    local u, v = place[a], place[b]
    local l = math.sqrt((u[1] - v[1]) ^ 2 + (u[2] - v[2]) ^ 2 + (u[3] - v[3]) ^ 2)
    for _, at in ipairs{ meet[a], meet[b] } do at[#at + 1] = density * math.pi * radius ^ 2 * l end
    s:segment{ nodes = { a, b }, density = density, material = { E = p.E, nu = 0 } }
  end
  local function along(i, j)
    local b, a = math.pi * i / (rings + 1), 2 * math.pi * (j + 0.5 * (i % 2)) / meridians
    return math.sin(b) * math.cos(a), math.sin(b) * math.sin(a), math.cos(b)
  end
  for i = 1, rings do
    knot[i] = {}
    for j = 1, meridians do
      local x, y, z = along(i, j)
      knot[i][j] = node(R * x, R * y, R * z)
    end
  end
  poles[1], poles[2] = node(0, 0, R), node(0, 0, -R)
  for i = 1, rings do
    for j = 1, meridians do
      join(knot[i][j], knot[i][j % meridians + 1])
      if i < rings then
        join(knot[i][j], knot[i + 1][j])
      else
        join(knot[i][j], poles[2])
      end
      if i == 1 then join(poles[1], knot[i][j]) end
      local x, y, z = along(i, j)
      local last = knot[i][j]
      for k = 1, 4 do
        local r = R + 0.05 * k
        local tip = node(r * x, r * y, r * z)
        join(last, tip)
        last = tip
      end
    end
  end
  flies(s, total(meet), 3)
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.4 }
  s:gate{
    name = "above the plane", quantity = "penetration", measure = "maximum", at_most = 0.5 * radius,
    reason = "contacts are visited last, and friction moves nothing across the plane",
  }
  s:gate{
    name = "a ball again", quantity = "frames/position", node = poles[1], apart_from = poles[2], measure = "final",
    near = 2 * R, tolerance = 0.25, finding = p.method == "xpbd",
    reason = p.method == "xpbd" and "rods of 1 MPa do not carry their weight: pbd's stiffness is that of its iterations"
      or "it comes back from its impact; its own weight flattens it",
  }
  s:gate{
    name = "lies", quantity = "energy/kinetic", measure = "final", at_most = 0.05, reason = "a mean speed of 0.2 m/s",
  }
end

local function ring(s, p)
  local n, side = 10, 0.8 -- cells along an edge
  local hole, thick = 0.2, 0.03
  local knot = {}
  for i = 0, n do
    knot[i] = {}
    for j = 0, n do
      knot[i][j] = s:node{ position = { side * (i / n - 0.5), side * (j / n - 0.5), 0.05 }, radius = radius }
    end
  end
  local function join(a, b) s:segment{ nodes = { a, b }, density = density, material = { E = p.E, nu = 0 } } end
  for i = 0, n do
    for j = 0, n do
      if i < n then join(knot[i][j], knot[i + 1][j]) end
      if j < n then join(knot[i][j], knot[i][j + 1]) end
    end
  end
  local nodes, segments, around = {}, {}, 24
  for k = 1, around do
    local a = 2 * math.pi * k / around
    nodes[k] = s:node{ position = { (hole + thick) * math.cos(a), (hole + thick) * math.sin(a), 0 }, radius = thick }
  end
  for k = 1, around do
    segments[k] = s:segment{ nodes = { nodes[k], nodes[k % around + 1] }, density = density, material = { E = p.E, nu = 0 } }
  end
  s:pin{ nodes = nodes, components = "xyz" }
  s:pin{ segments = segments }
  local pull = s:driver{ name = "pull", z = { { 0, 0 }, { 3, -0.9 } } }
  s:pin{ node = knot[n // 2][n // 2], components = "xyz", driver = pull }
  s:contact{ self = true, friction = 0.1 }
  s:gate{
    name = "the middle is drawn", quantity = "frames/position", node = knot[n // 2][n // 2], component = "z", measure = "value",
    at = 0.2, near = 0.05 - 0.9 * 0.2 / 3, tolerance = 1e-12, absolute = true, reason = "at its driver's place: rounding",
  }
  for name, at in pairs{ corner = knot[0][0], ["other corner"] = knot[n][n], side = knot[0][n // 2] } do
    s:gate{
      name = name .. " is through", quantity = "frames/position", node = at, component = "z", measure = "final",
      at_most = -thick, reason = "below the ring, through which the net was drawn",
    }
  end
  s:gate{
    name = "pills apart", quantity = "penetration", measure = "maximum", at_most = radius,
    reason = "half of what would let two center lines cross",
  }
end

-- A ball is one short and thick pill. Of wires of each direction there are `n`.
local function woven(s, p)
  local n, spacing, thick, big = p.wires, 0.06, 0.008, 0.1
  local half = spacing * (n + 1) / 2
  local frame = s:driver{ name = "frame" }
  local weight, wires, along = 0, {}, 4 * (n + 1)
  for direction = 1, 2 do
    for k = 1, n do
      local off = spacing * (k - (n + 1) / 2)
      local function curve(t)
        local x = half * (2 * t - 1)
        -- Over at every other crossing, and so that the other wire there is under.
        local z = (direction == 1 and 1 or -1) * (k % 2 == 0 and 1 or -1) * 1.05 * thick * math.sin(math.pi * (x + half) / spacing - math.pi / 2)
        if direction == 1 then return x, off, z end
        return off, x, z
      end
      local wire = s:rod{ nodes = along + 1, radius = thick, density = density, material = { E = p.E, nu = 0 }, curve = curve }
      local x, y, z = curve(0)
      for i = 1, along do
        local u, v, w = curve(i / along)
        weight = weight + 9.81 * density * math.pi * thick ^ 2 * math.sqrt((u - x) ^ 2 + (v - y) ^ 2 + (w - z) ^ 2)
        x, y, z = u, v, w
      end
      s:pin{ nodes = { wire.first, wire.last }, components = "xyz", driver = frame }
      wires[#wires + 1] = wire
    end
  end
  local short, mass = 0.01, 1
  local a = s:node{ position = { 0.015, 0.01, big + 3 * thick }, radius = big }
  local b = s:node{ position = { 0.015 + short, 0.01, big + 3 * thick }, radius = big }
  s:segment{ nodes = { a, b }, density = mass / (math.pi * big ^ 2 * short), material = { E = p.E, nu = 0 } }
  s:contact{ self = true, friction = 0.3 }
  s:gate{
    name = "the frame carries wires and ball", quantity = "reaction/force", driver = frame, component = "z", measure = "mean", from = 1,
    near = weight + 9.81 * mass, tolerance = 0.01, reason = "at rest, what holds the wires' ends carries all weight; the ball still moves a little",
  }
  s:gate{
    name = "the ball lies in the net", quantity = "frames/position", node = a, component = "z", measure = "final",
    at_least = -big, reason = "it would have fallen by 44 m; below this it would be through",
  }
  s:gate{
    name = "the net gives way", quantity = "frames/position", node = a, component = "z", measure = "final",
    at_most = big, reason = "it hangs by more than the ball fell",
  }
  s:gate{
    name = "wires stay apart", quantity = "penetration", measure = "maximum", at_most = 0.5 * thick,
    reason = "a quarter of a thickness: half of one would let two center lines cross, and the weave open",
  }
  local over, under = wires[n // 2 + 1], wires[n + n // 2 + 1] -- the middle ones, which cross in their middles
  s:gate{
    name = "the middle wires still cross", quantity = "frames/position", node = over.first + along // 2,
    apart_from = under.first + along // 2, measure = "final", at_most = spacing / 2,
    reason = "nothing but contact holds them: neither has slipped half of the way to its neighbor",
  }
end

local function build(p)
  local s = vb.scene{
    step = 1 / 60, duration = p.case == "woven" and 1.6 or 4, gravity = { 0, 0, p.case == "ring" and 0 or -9.81 },
    damping = p.case == "ball" and 0.5 or p.case == "woven" and 5 or 2,
  }
  local make = { ball = ball, ring = ring, woven = woven }
  make[p.case](s, p)
  s:record{ every = p.case == "ball" and 3 or 6, frames = p.case == "woven" and 8 or 12, fields = { "position" } }
  s:solver{ solver = "umetani", method = p.method, iterations = p.case == "woven" and 10 or 20, substeps = p.case == "ball" and 1 or 4 }
  return s
end

return {
  title = "Nets of position-based rods",
  parameters = { case = "ball", E = 1e6, method = "pbd", wires = 5 },
  ranges = { case = { "ball", "ring", "woven" }, method = { "pbd", "xpbd" }, E = { above = 0 }, wires = { least = 3 } },
  build = build,
  runs = function(_, tier)
    return {
      { name = "ball", label = "thrown at a plane" },
      { name = "ball-xpbd", label = "thrown at a plane, xpbd", parameters = { method = "xpbd" } },
      { name = "ring", label = "drawn through a ring", parameters = { case = "ring" } },
      { name = "woven", label = "woven wires and a ball", parameters = { case = "woven", wires = tier == "full" and 9 or nil } },
    }
  end,
  planted = { must = { "no-contact", "slow-time", "double-damping" } },
  gold = { steps = 10, frames = 10, runs = { "ball", "ring" } },
  figure = "umetani_net",
}
