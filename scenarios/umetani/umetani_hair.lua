-- Hair (fig. 13 of the paper on position-based rods): 200 curled strands of 20 edges on a head that
-- turns back and forth and comes to rest. None of umetani's strands penetrates the head; viper has
-- no colliders and runs without them. Strands have no contact with each other. With pbd, how far
-- strands hang, and how fast they come to rest, depends on iterations and step.
local edges, head = 20, 0.1

local radius, density = 0.002, 1000

-- The energy of gravity of a strand along a curve, J.
local function weight(curve)
  local sum = 0
  for i = 1, edges do
    local x, y, z = curve((i - 1) / edges)
    local u, v, w = curve(i / edges)
    local l = math.sqrt((u - x) ^ 2 + (v - y) ^ 2 + (w - z) ^ 2)
    sum = sum + density * math.pi * radius ^ 2 * l * 9.81 * (z + w) / 2
  end
  return sum
end

-- A gate: a root at the angle `a` and so far from the axis goes with the head, which has turned by a radian; at the end,
-- where frames are so far apart that none is of then, it is back.
local function follows(s, node, distance, a, frames)
  local early = frames == 30
  s:gate{
    name = "the root goes with the head", quantity = "frames/position", node = node, component = "x",
    measure = early and "value" or "final", at = early and 0.5 or nil, near = distance * math.cos(early and a + 1 or a),
    tolerance = 1e-12, absolute = true, reason = "at its driver's place: rounding",
  }
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = 6, gravity = { 0, 0, -9.81 }, damping = 1 }
  local turn = s:driver{
    name = "head", axis = { 0, 0, 1 },
    angle = { { 0, 0, "cubic" }, { 0.5, 1, "cubic" }, { 1.25, -1, "cubic" }, { 2, 1, "cubic" }, { 2.5, 0, "cubic" } },
  }
  local energy = 0 -- of gravity at the start: segments' masses, halves of which are at their ends
  local golden = math.pi * (3 - math.sqrt(5))
  for k = 0, p.strands - 1 do
    -- Places of equal shares of the upper three quarters of a sphere.
    local z, a = 1 - 1.5 * (k + 0.5) / p.strands, golden * k
    local across = math.sqrt(1 - z * z)
    local n = { across * math.cos(a), across * math.sin(a), z }
    local u, v = { -math.sin(a), math.cos(a), 0 }, { -z * math.cos(a), -z * math.sin(a), across }
    local function curve(t)
      local out, b = head + p.length * t, 4 * math.pi * t
      local x, y = p.curl * (math.cos(b) - 1), p.curl * math.sin(b)
      return out * n[1] + x * u[1] + y * v[1], out * n[2] + x * u[2] + y * v[2], out * n[3] + x * u[3] + y * v[3]
    end
    local rod = s:rod{
      nodes = edges + 1, radius = radius, density = density, material = { E = p.E, nu = 0 }, curve = curve,
    }
    energy = energy + weight(curve)
    if k == p.strands - 1 then follows(s, rod.first, head * across, a, p.frames) end
    s:pin{ nodes = { rod.first, rod.first + 1 }, components = "xyz", driver = turn }
    s:pin{ segment = rod.first_segment, driver = turn }
  end
  if p.head then s:collider{ sphere = { 0, 0, 0 }, radius = head, friction = 0.3, driver = turn, name = "head" } end
  s:gate{
    name = "energy of gravity at the start", quantity = "energy/gravity", measure = "first", near = energy, tolerance = 1e-10,
    reason = "m g z of what was built: rounding, 1e-16 for each of some 1e4 sums",
  }
  s:record{ every = 15, frames = p.frames, fields = { "position" } }
  s:solver{ solver = "umetani", iterations = 10 }
  return s
end

local function runs()
  return {
    { name = "pbd", label = "pbd" },
    { name = "pbd-20", label = "pbd, 20 iterations", iterations = 20 },
    { name = "xpbd", label = "xpbd", method = "xpbd" },
    { name = "viper", label = "viper, direct", solver = "viper", method = "direct", iterations = 2, tolerance = 0, parameters = { head = false } },
  }
end

local function gates()
  local list = {}
  for _, run in ipairs{ "pbd", "pbd-20", "xpbd", "viper" } do
    list[#list + 1] = {
      name = "comes to rest", run = run, quantity = "energy/kinetic", measure = "final", at_most = 1e-3,
      reason = "strands of 2.5 g each, slower than 0.06 m/s on the average, 3.5 s after the head stopped",
    }
  end
  for _, run in ipairs{ "pbd", "pbd-20", "xpbd" } do
    list[#list + 1] = {
      name = "strands lie on the head", run = run, quantity = "contacts", measure = "final", at_least = 10,
      reason = "those of the upper half hang over it: of 75 of them more than ten, whatever their curls",
    }
    list[#list + 1] = {
      name = "none goes through the head", run = run, quantity = "penetration", measure = "maximum", at_most = 0.25 * radius,
      reason = "a quarter of a strand's radius: contacts are swept last in each iteration, and an edge moves what its neighbor set",
    }
  end
  return list
end

return {
  title = "Hair of position-based rods",
  parameters = {
    strands = 200, length = 0.2, curl = 0.008, E = 2e6, head = true,
    frames = 30, -- steps between frames
  },
  ranges = { frames = { least = 1 } },
  build = build,
  runs = runs,
  gates = gates,
  planted = { must = { "slow-time" } },
  gold = { steps = 10, frames = 10, runs = { "pbd", "xpbd" }, parameters = { strands = 20 } },
  figure = "umetani_hair",
}
