-- An overhand knot in a rope: its ends are pulled apart, then moved back a little. With friction,
-- tightening takes several times the force, and the knot then holds; without friction, it opens and
-- still pulls at its ends.
local forms, overhand = include("closed_forms"), include("overhand")

local RADIUS = 0.006 -- m

local function build(p)
  local s = vb.scene{ step = 1 / 100, duration = p.duration, damping = 10 }
  local list, whole = overhand.knot(p.size, p.segments)
  local rope = s:rod{
    name = "rope", nodes = p.segments + 1, from = { 0, 0, 0 }, to = { 0, 0, whole }, radius = RADIUS, density = 1000,
    material = { E = 1e6, nu = 0.3 },
    position = function(t) local q = list[math.floor(t * p.segments + 0.5) + 1]; return q[1], q[2], q[3] end,
  }
  local far = (whole - (list[#list][3] - list[1][3]) - p.left) / 2
  local pull, back = p.duration - 2, p.duration - 1.5
  for side = -1, 1, 2 do
    local name = side < 0 and "left" or "right"
    local d = s:driver{ name = name, z = { { 0, 0 }, { pull, side * far }, { back, side * (far - p.back) } },
      x = { { 0, 0 }, { pull, -list[side < 0 and 1 or #list][1] } }, y = { { 0, 0 }, { pull, -list[side < 0 and 1 or #list][2] } } }
    s:pin{ node = side < 0 and rope.first or rope.last, components = "xyz", driver = d }
  end
  s:contact{ friction = p.friction, self = true }
  overhand.stays(s, RADIUS, ", 3.4 in its tight form")
  if p.friction > 0 then
    s:gate{
      name = "it holds", quantity = "reaction/force", driver = 1, component = "z", measure = "drift", from = p.duration - 0.5,
      at_most = 0.05 * 0.38, reason = "a twentieth of what the loop without friction pulls with",
    }
  end
  s:gate{
    name = "the left end, half way", quantity = "frames/position", node = rope.first, component = "z", measure = "value", at = pull / 2,
    near = list[1][3] - far / 2, tolerance = 1e-12, absolute = true, reason = "held by its driver to rounding",
  }
  local kz, bends = (forms.stiffness(1e6, 0.3)), overhand.bends(list, whole / p.segments)
  s:gate{
    name = "energy of the open knot's bends", quantity = "energy/bend", measure = "first", near = 0.5 * kz * math.pi * RADIUS ^ 4 / 4 * bends,
    tolerance = 1e-9, reason = "half of the stiffness times the square of the curvature; rounding",
  }
  s:record{ every = 1, frames = 10 }
  s:solver{ method = "xpbd", iterations = 30, substeps = 10 }
  return s
end

return {
  title = "An overhand knot, pulled tight",
  keywords = { "contact" },
  parameters = { friction = 0.5, size = 0.04, segments = 120, duration = 6.0, left = 0.3, back = 0.02 },
  ranges = {
    friction = { least = 0 }, size = { above = 0 }, segments = { least = 30 }, duration = { above = 2 }, left = { above = 0 }, back = { least = 0 },
  },
  build = build,
  runs = function()
    return {
      { name = "rough", label = "friction 0.5" },
      { name = "smooth", label = "no friction", parameters = { friction = 0 } },
    }
  end,
  gates = function(p)
    local function gate(g)
      g.runs, g.combine, g.quantity, g.driver, g.component = { "rough", "smooth" }, "ratio", "reaction/force", 1, "z"
      return g
    end
    return {
      gate{
        name = "friction beside none as it is tightened", measure = "value", at = p.duration - 2, near = 4, tolerance = 0.25,
        reason = "strands wind about each other by half a turn or so on the way through the knot: exp(0.5 a) of 2.2 to 3.2 rad; 3.3 with 100 "
          .. "segments, 4.0 with 120, and 4.2 with 5 % more friction",
      },
      gate{
        name = "friction beside none as it is let go", measure = "final", at_most = 0.5,
        reason = "friction holds the loop, whose bending pulls at the ends without it: the same factor, the other way",
      },
    }
  end,
  figure = "knot",
  planted = { must = { "bending", "term-missing" } },
  show = { runs = { "rough" }, view = { 60, 10, 3, 30 } },
  gold = { steps = 5, frames = 5 },
}
