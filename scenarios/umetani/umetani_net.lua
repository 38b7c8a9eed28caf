-- Nets of rods (figs. 1 and 12 of the paper on position-based rods, without their surfaces and
-- cloth). "ball": a ball of 100 knots, ten rings and ten meridians, with a tentacle on each knot,
-- is thrown at a half-plane with friction. "ring": a square net is pulled through a ring that is
-- narrower than it. Crossings of rods are rigid bodies.
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

local function build(p)
  local s = vb.scene{
    step = 1 / 60, duration = 4, gravity = { 0, 0, p.case == "ball" and -9.81 or 0 },
    damping = p.case == "ball" and 0.5 or 2,
  }
  if p.case == "ball" then ball(s, p) else ring(s, p) end
  s:record{ every = p.case == "ball" and 3 or 6, frames = 12, fields = { "position" } }
  s:solver{ solver = "umetani", method = p.method, iterations = 20, substeps = p.case == "ball" and 1 or 4 }
  return s
end

return {
  title = "Nets of position-based rods",
  parameters = { case = "ball", E = 1e6, method = "pbd" },
  ranges = { case = { "ball", "ring" }, method = { "pbd", "xpbd" }, E = { above = 0 } },
  build = build,
  runs = function()
    return {
      { name = "ball", label = "thrown at a plane" },
      { name = "ball-xpbd", label = "thrown at a plane, xpbd", parameters = { method = "xpbd" } },
      { name = "ring", label = "drawn through a ring", parameters = { case = "ring" } },
    }
  end,
  planted = { must = { "no-contact", "slow-time", "double-damping" } },
  gold = { steps = 10, frames = 10, runs = { "ball", "ring" } },
  figure = "umetani_net",
}
