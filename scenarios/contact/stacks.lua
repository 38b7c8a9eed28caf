-- A stack of ten square rings, each rotated by an eighth of a turn, so that it lies on eight
-- crossings and stands. (A stack of free logs has only an unstable equilibrium.)
local stacked_ring = include("stacked_ring")

local RADIUS, SIDE, LAYERS = 0.05, 0.5, 10 -- m

--- Adds the ring of a layer, by name; returns its first node.
local function ring(s, layer)
  local first = stacked_ring(s, layer, { radius = RADIUS, side = SIDE, E = 1e6, density = 1000 })
  s:name{ node = first, name = "ring" .. layer }
  return first
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.duration, gravity = { 0, 0, -10 }, damping = p.damping }
  local top
  for layer = 0, LAYERS - 1 do
    top = ring(s, layer)
  end
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5 }
  s:record{ every = 1, frames = 30, fields = { "position", "scale", "frame", "half_plane_force" } }
  s:solver{ iterations = p.iterations, substeps = p.substeps }
  local mass = math.pi * RADIUS ^ 2 * 4 * SIDE * 1000
  local function gate(g)
    g.finding = p.finding
    s:gate(g)
  end
  gate{ name = "penetration at rest", quantity = "penetration", measure = "maximum", from = p.duration - 1, at_most = 2e-4 * RADIUS,
    reason = "0.01 mm: what thirty iterations leave at rest, 0.0015 mm by the slowest of three methods" }
  gate{ name = "at rest", quantity = "energy/kinetic", measure = "maximum", from = p.duration - 1, at_most = 1e-6 * LAYERS * mass * 10 * RADIUS,
    reason = "a millionth of its weight times the radius" }
  gate{ name = "the ground carries all", quantity = "frames/half_plane_force", half_plane = 0, component = "z", near = -LAYERS * mass * 10,
    tolerance = 1e-3, reason = "the weight of ten rings, but for what still moves" }
  gate{ name = "energy of the weight", quantity = "energy/gravity", near = LAYERS ^ 2 * mass * 10 * RADIUS, tolerance = 0.01,
    reason = "half of the height of the stack, which sinks by 0.4 %" }
  gate{ name = "nothing is truncated", quantity = "contact_truncated", measure = "maximum", at_most = 0,
    reason = "contacts hold what stands" }
  gate{ name = "it stands", quantity = "frames/position", node = top, component = "z",
    near = (2 * LAYERS - 1) * RADIUS, tolerance = 0.01,
    reason = "rings flatten and bend by the weight above, together by 0.4 %, a twelfth of a radius, by three methods; were one out of its place, it were two radii lower" }
  gate{ name = "it does not slide", quantity = "frames/position", node = top, component = "x", measure = "drift", at_most = 0.02 * RADIUS,
    reason = "friction holds; a fiftieth of the radius for how a ring bends" }
  return s
end

return {
  title = "A stack of ten rings",
  keywords = { "contact" },
  parameters = { duration = 3.0, iterations = 30, substeps = 8, damping = 1.0, finding = false },
  ranges = { duration = { least = 2 }, substeps = { least = 1 }, iterations = { least = 1 }, damping = { least = 0 } },
  build = build,
  runs = function()
    local list = {}
    for _, method in ipairs{ "direct", "xpbd", "block-descent", "jacobi-published" } do
      list[#list + 1] = { name = method, label = method, method = method, parameters = { finding = method == "jacobi-published" } }
    end
    list[#list + 1] = { name = "coarse", label = "block-descent, 2 substeps", method = "block-descent",
      parameters = { substeps = 2, finding = true } }
    return list
  end,
  figure = "stacks",
  planted = { must = { "no-contact" }, exempt = { stale = "it stands: the state of one step before is the same" } },
  gold = { steps = 5, frames = 5, runs = { "direct", "xpbd" } },
}
