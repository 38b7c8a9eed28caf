-- A rope is pressed onto the middle of another across it, without friction, over meshes that are
-- shifted along both ropes by parts of a segment. Only the mesh breaks the symmetry, so the force
-- on the pressing rope should have no component along either rope. The normal of a contact of
-- segments is normal to both of them, and tilts with their slopes; those of smooth ropes do not.
local RADIUS, HALF, WAY = 0.01, 0.5, 0.1 -- m

--- A rope from -HALF to HALF along a direction, of `segments`; its inner nodes are shifted by a part of a segment, so that
--- one is in the middle for shift 0.
local function rope(s, p, name, place)
  local edge, points = 2 * HALF / p.segments, { -HALF }
  for k = 1, p.segments - 1 do
    points[#points + 1] = -HALF + (k + p.shift) * edge
  end
  points[#points + 1] = HALF
  local list = {}
  for i, along in ipairs(points) do list[i] = place(along) end
  return s:rod{
    name = name, points = list, radius = RADIUS, density = 1000, material = { E = 1e6, nu = 0.3 },
  }
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = 2.0, damping = 20 }
  local lower = rope(s, p, "lower", function(along) return { along, 0, 0 } end)
  local upper = rope(s, p, "upper", function(along) return { 0, along, 2 * RADIUS } end)
  local still, press = s:driver{ name = "still" }, s:driver{ name = "press", z = { { 0, 0, "cubic" }, { 1, -WAY } } }
  s:pin{ nodes = { lower.first, lower.last }, components = "xyz", driver = still }
  s:pin{ nodes = { upper.first, upper.last }, components = "xyz", driver = press }
  -- Each is held in its plane: otherwise the upper one would slide along the lower to where the contact force is less.
  for i = 2, #lower.nodes - 1 do
    s:pin{ node = lower.nodes[i], components = "y", driver = still }
    s:pin{ node = upper.nodes[i], components = "x", driver = press }
  end
  s:contact{}
  for component, name in pairs{ x = "force along the lower rope", y = "force along the upper rope" } do
    s:gate{
      name = name, quantity = "reaction/force", driver = press, component = component, near = 0, tolerance = 0.01 * 0.41,
      absolute = true, finding = p.normal == "segment" and p.substeps > 1,
      reason = "nothing by symmetry; a hundredth of the pressing force of 0.41 N. A segment's slope is that of the rope but for "
        .. "its length times the curvature times shift - 1/2, and a corner leaves the normal free",
    }
  end
  s:gate{
    name = "at rest", quantity = "energy/kinetic", at_most = 2e-11,
    reason = "a second after the press damping has left e^-40 of 0.003 J, and iterations leave 1.6e-12 J at most over all meshes",
  }
  s:gate{
    name = "balance of energies", quantity = "balance/unaccounted", measure = "final", near = 0, tolerance = 0.4 / p.substeps, absolute = true,
    reason = "implicit Euler takes from what moves in the first second, in proportion to its step, and nothing else does: no friction",
  }
  s:gate{
    name = "the pressed end, half way", quantity = "frames/position", node = upper.first, component = "z", measure = "value", at = 0.5,
    near = 2 * RADIUS - WAY / 2, tolerance = 1e-12, absolute = true, reason = "held by its driver to rounding",
  }
  s:record{ every = 1, frames = 30 }
  s:solver{ method = "direct", iterations = p.iterations, substeps = p.substeps, contact_normal = p.normal }
  return s
end

return {
  title = "A rope pressed onto another, over shifted meshes",
  keywords = { "contact" },
  parameters = { normal = "segment", segments = 50, shift = 0.0, iterations = 15, substeps = 8 },
  ranges = {
    normal = { "segment", "smooth" }, segments = { least = 10 }, shift = { least = 0, most = 0.9 }, iterations = { least = 1 }, substeps = { least = 1 },
  },
  build = build,
  grid = function()
    return { normal = { "segment", "smooth" }, segments = { 24, 50 }, shift = { 0, 0.125, 0.375, 0.5 } }
  end,
  gates = function()
    return {
      {
        name = "pressing force beside a node at the crossing", where = { segments = 50 }, against = { shift = 0 }, combine = "ratio",
        quantity = "reaction/force", driver = 1, component = "z", near = 1, tolerance = 0.01,
        reason = "the meshes are of the same ropes; a segment that touches cuts off up to l^2 kappa / 8 of a bend, 2e-4 m in 0.1 m each",
      },
    }
  end,
  figure = "contact_crossing",
  gold = { steps = 5, frames = 5, runs = { "segment-segments24-shift0", "smooth-segments24-shift0.125" } },
}
