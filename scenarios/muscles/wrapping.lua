-- A muscle that wraps around a bone: it contracts and lengthens against a constant load, sticks, and slides when its pull has
-- passed the capstan's law on either side. It moves so slowly that its great density counts little.
local BONE, TENDON, BELLY, FREE, LOAD = 0.02, 1e-3, 0.08, 0.04, 2.0 -- radii, m; lengths, m; N
local GIVES = 5e-4 -- m, by which the origin gives way, evenly
local CONTRACTED, LENGTHENED, HELD = 0.8, 1.5, 0.15 -- s, when the muscle is shortest, is as at first; of the load's coming

--- A point of the axis, by the length along it: up beside the bone, over it, and down.
local function over(R, along)
  local angle = (along - BELLY) / R
  if angle < 0 then return -R, 0, along - BELLY end
  if angle > math.pi then return R, 0, -(along - BELLY - math.pi * R) end
  return -R * math.cos(angle), 0, R * math.sin(angle)
end

--- The ratio of both pulls as it slides: exp(mu pi) with friction at the axis, and less by a part (1 + mu^2) r/R of the exponent
--- where friction at the surface has nothing to turn; a rod that resists bending is in between. Their geometric mean.
local function ratio(mu)
  return math.exp(mu * math.pi * (1 - (1 + mu ^ 2) * TENDON / (BONE + TENDON) / 2))
end

local function add_gates(s, p, rod, origin)
  local most = LOAD * ratio(p.friction)
  local law = "the capstan's law, 2.5 % to both sides by where friction acts; bending and inertia, which make 4 % without friction"
  local function pull(name, near, keys)
    local g = { name = name, quantity = "reaction/force", driver = origin, component = "z", near = -near, tolerance = 0.06, reason = law }
    for key, value in pairs(keys) do g[key] = value end
    s:gate(g)
  end
  pull("greatest pull", most, { measure = "minimum" })
  pull("pull as it slides back", LOAD / ratio(p.friction), { measure = "value", at = 1.45 })
  s:gate{
    name = "origin on its way", quantity = "frames/position", node = rod.first, component = "z", measure = "value", at = 0.52,
    near = -BELLY + GIVES * 0.52 / LENGTHENED, absolute = true, tolerance = 1e-12, reason = "held by its driver, to rounding",
  }
  s:gate{
    name = "penetration", quantity = "penetration", measure = "maximum", at_most = 0.05 * TENDON, reason = "a twentieth of the rod's radius",
  }
  if p.friction == 0 then return end
  local function load(name, keys)
    local g = { name = name, quantity = "frames/position", node = rod.last, component = "z" }
    for key, value in pairs(keys) do g[key] = value end
    s:gate(g)
  end
  local still = "a tenth of a millimeter is what the rod stretches on the bone; it slides 5 mm"
  load("the load hangs still as the pull rises", { measure = "drift", from = 0.2, to = 0.48, at_most = 3e-4, reason = still })
  load("the load is drawn up", { measure = "maximum", at_least = -0.0400, reason = "by 3 mm and more from -0.0437 m, once the pull has passed the law" })
  load("the load hangs still as the pull falls", { measure = "drift", from = 0.88, to = 1.08, at_most = 3e-4, reason = still })
  load("the load comes down", { measure = "final", at_most = -0.0420, reason = "by 3 mm and more, once the pull has fallen below the law" })
end

local function build(p)
  local s = vb.scene{ step = 1 / 100, duration = LENGTHENED, damping = p.damping }
  local middle = BONE + TENDON
  local edge = p.edge
  local R = middle / math.cos(edge / middle / 2) -- of nodes, so that the segments' middles touch
  local length = BELLY + FREE + math.pi * R
  local nodes = math.floor(length / edge + 0.5) + 1
  local rod = s:rod{
    name = "muscle", nodes = nodes, radius = TENDON, density = p.density, material = { E = p.E, nu = 0.3 },
    curve = function(t) return over(R, t * length) end,
  }
  s:load{ name = "load", node = rod.last, force = { 0, 0, -LOAD }, amplitude = { { 0, 0, "cubic" }, { HELD, 1 } } }
  local origin, hold = s:driver{ name = "origin", z = { { 0, 0 }, { LENGTHENED, GIVES } } }, s:driver{ name = "bone" }
  s:pin{ node = rod.first, components = "xyz", driver = origin }
  local bone = s:rod{
    name = "bone", nodes = 2, from = { 0, -0.03, 0 }, to = { 0, 0.03, 0 }, radius = BONE, density = 1000, material = { E = 1e7, nu = 0.3 },
  }
  s:pin{ nodes = bone.nodes, components = "xyzs", driver = hold }
  s:pin{ segments = bone.segments, driver = hold }
  local belly = {}
  for _, j in ipairs(rod.segments) do
    if (j - rod.first_segment + 1) * length / (nodes - 1) < 0.9 * BELLY then belly[#belly + 1] = j end
  end
  s:activation{
    segments = belly, amount = { { HELD, 1, "cubic" }, { CONTRACTED, p.shortest, "cubic" }, { LENGTHENED, 1 } }, name = "belly",
  }
  s:contact{ friction = p.friction }
  s:record{ every = 1, frames = 4, fields = { "position", "scale", "frame" } }
  s:solver{ iterations = p.iterations, substeps = p.substeps }
  add_gates(s, p, rod, origin)
  return s
end

return {
  title = "A muscle that wraps around a bone sticks and slides by the capstan's law",
  keywords = { "contact" },
  parameters = { friction = 0.3, density = 1e5, E = 2e7, shortest = 0.82, damping = 20.0, edge = 0.005, iterations = 20, substeps = 10 },
  build = build,
  runs = function()
    local list = {}
    for _, mu in ipairs{ 0, 0.3 } do
      list[#list + 1] = { name = "direct-" .. mu, method = "direct", parameters = { friction = mu } }
    end
    return list
  end,
  ranges = {
    friction = { least = 0 }, density = { above = 0 }, E = { above = 0 }, shortest = { above = 0 }, damping = { least = 0 },
    edge = { above = 0 }, iterations = { least = 1 }, substeps = { least = 1 },
  },
  figure = "wrapping",
  planted = { must = { "friction", "no-contact" } },
  gold = { steps = 5, frames = 5, runs = { "direct-0.3" } },
}
