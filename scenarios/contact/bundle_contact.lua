-- Contact of two bundles of seven rods: crossed and thrown at each other, in free flight; and
-- parallel (or at an angle [degrees]), pressed together by two driven half-planes.
local RADIUS, LENGTH, SEGMENTS, RING = 0.02, 0.4, 8, 6 -- m, m
local AROUND = 2.02 * RADIUS -- m from the middle rod to the others, so that none overlap at rest
local FLAT = AROUND * math.sqrt(3) / 2 + RADIUS -- m, from a bundle's axis to the planes that touch two rods
local SPEED = 1.0 -- m/s of each
local GAP = 0.005 -- m between the bundles
local PRESS = 0.005 -- m that each half-plane goes on after it touches

--- Adds seven rods along the unit vector `along` (x, y) around an axis at height z. Rods of a bundle do not touch each other.
local function add_bundle(s, p, number, along, z, speed)
  local rods, segments, half = {}, {}, p.length / 2
  local cos, sin = along[1], along[2]
  local count = math.floor(SEGMENTS * p.length / LENGTH + 0.5)
  for i = 0, RING do
    local a = 2 * math.pi * i / RING
    local off, up = i > 0 and AROUND * math.cos(a) or 0, i > 0 and AROUND * math.sin(a) or 0
    rods[i + 1] = s:rod{
      nodes = count + 1, from = { -half * cos - off * sin, -half * sin + off * cos, z + up },
      to = { half * cos - off * sin, half * sin + off * cos, z + up },
      radius = RADIUS, density = 1000, material = { E = p.E, nu = 0.45 },
      velocity = { 0, 0, speed }, name = string.format("rod%d.%d", number, i),
    }
    for _, segment in ipairs(rods[i + 1].segments) do segments[#segments + 1] = segment end
  end
  for j = 1, count do
    local section = {}
    for i, rod in ipairs(rods) do section[i] = rod.segments[j] end
    s:bundle{ segments = section }
  end
  table.sort(segments)
  s:filter{ segments = segments, groups = { number }, meets = { 1 - number } }
  return rods
end

local function thrown(p)
  local s = vb.scene{ step = 1 / 600, duration = 0.1 }
  local rods = add_bundle(s, p, 0, { 1, 0 }, FLAT + GAP / 2, -SPEED)
  add_bundle(s, p, 1, { 0, 1 }, -FLAT - GAP / 2, SPEED)
  s:contact{ friction = 0.3 }
  s:record{ every = 1, frames = 1 }
  s:solver{ iterations = p.iterations, substeps = p.substeps }
  local mass = (RING + 1) * math.pi * RADIUS ^ 2 * p.length * 1000
  for k, c in ipairs{ "x", "y", "z" } do
    s:gate{
      name = "momentum along " .. c, quantity = "momentum", component = c, measure = "drift", at_most = 1e-9 * mass * SPEED,
      reason = "rounding of some 1e6 displacements that balance each other", finding = p.finding,
    }
  end
  s:gate{
    name = "penetration", quantity = "penetration", measure = "maximum", at_most = (p.finding and 0.05 or 5e-4) * RADIUS,
    reason = p.finding and "a twentieth of the radius" or "0.01 mm, what iterations leave at most: 0.0001 mm by three methods",
  }
  -- They are 0.005 m apart, of which they go 0.0033 m in the first step.
  s:gate{
    name = "height after a step", quantity = "frames/position", node = rods[1].first, component = "z", measure = "value", at = s.step,
    near = FLAT + GAP / 2 - SPEED * s.step, tolerance = 1e-12, absolute = true, reason = "it flies freely; rounding",
  }
  s:gate{
    name = "energy after a step", quantity = "energy/kinetic", measure = "value", at = s.step, near = mass * SPEED ^ 2, tolerance = 1e-10,
    reason = "both fly freely; rounding",
  }
  s:gate{
    name = "energy", quantity = "energy/total", measure = "maximum", at_most = (1 + 1e-9) * mass * SPEED ^ 2,
    reason = "neither contact nor a bundle adds energy; that of the beginning is the greatest", finding = p.finding,
  }
  return s
end

local function pressed(p)
  local s = vb.scene{ step = 1 / 120, duration = 0.5, damping = 20 }
  local turn = math.rad(p.angle)
  add_bundle(s, p, 0, { 1, 0 }, FLAT, 0)
  add_bundle(s, p, 1, { math.cos(turn), math.sin(turn) }, -FLAT, 0)
  s:contact{ friction = 0.5 }
  local walls = {}
  for k, side in ipairs{ 1, -1 } do
    walls[k] = s:driver{ name = side > 0 and "above" or "below", z = { { 0, 0 }, { 0.25, -side * PRESS } } }
    s:halfplane{ normal = { 0, 0, -side }, point = { 0, 0, side * 2 * FLAT }, friction = 0.5, driver = walls[k] }
    s:gate{
      name = "it presses " .. (side > 0 and "above" or "below"), quantity = "reaction/force", driver = walls[k], component = "z",
      measure = "final", near = -side * 476, tolerance = 0.06, finding = p.finding,
      reason = "475.7 N by a penalty with 200 iterations, 476.0 N by impulses with 400; those with 40 are too soft, 451 to 453 N by three methods",
    }
  end
  s:record{ every = 1, frames = 4 }
  s:solver{ iterations = p.iterations, substeps = p.substeps }
  s:gate{
    name = "penetration", quantity = "penetration", measure = "maximum", at_most = 5e-4 * RADIUS,
    reason = "0.01 mm, what iterations leave at most: 0.0013 mm by the slowest of three methods", finding = p.finding,
  }
  s:gate{
    name = "at rest", quantity = "energy/kinetic", measure = "final", at_most = 5e-5,
    reason = "the half-planes did 2.4 J; what is left creeps along friction, 5e-6 J by the slowest of three methods", finding = p.finding,
  }
  return s
end

return {
  title = "Two bundles meet",
  keywords = { "contact" },
  parameters = { kind = "thrown", angle = 0, length = LENGTH, E = 1e5, iterations = 20, substeps = 4, finding = false },
  ranges = {
    kind = { "thrown", "pressed" }, length = { least = LENGTH / SEGMENTS }, E = { above = 0 },
    iterations = { least = 1 }, substeps = { least = 1 },
  },
  build = function(p) return p.kind == "thrown" and thrown(p) or pressed(p) end,
  runs = function()
    local list = {}
    for _, kind in ipairs{ "thrown", "pressed" } do
      for _, method in ipairs{ "direct", "block-descent", "xpbd", "jacobi-published" } do
        list[#list + 1] = {
          name = kind .. "." .. method, label = kind .. ", " .. method, method = method,
          parameters = {
            kind = kind, finding = method == "jacobi-published",
            length = kind == "pressed" and LENGTH / 2 or LENGTH, substeps = kind == "pressed" and 16 or 4,
            iterations = kind == "pressed" and 40 or 20,
          },
        }
      end
    end
    return list
  end,
  gates = function()
    local list = {}
    for _, method in ipairs{ "block-descent", "xpbd" } do
      list[#list + 1] = {
        name = method .. " presses as direct", runs = { "pressed." .. method, "pressed.direct" }, combine = "ratio",
        quantity = "reaction/force", driver = 0, component = "z", measure = "final", near = 1, tolerance = 0.01,
        reason = "what iterations leave between two methods: 0.4 %, and 2 % with twenty in place of forty",
      }
    end
    return list
  end,
  planted = { must = { "noise" } },
  -- Rods that lie along each other touch where rounding tells: one bundle turned by 17 degrees touches the other at points.
  gold = { steps = 20, frames = 2, runs = { "thrown.direct", "pressed.xpbd" }, parameters = { angle = 17 } },
  figure = "bundle_contact",
}
