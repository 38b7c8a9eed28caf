-- An overhand knot is pulled tight: the force at its ends over the size of its loop, without friction and with three coefficients, beside
-- the law of loose knots, F R^2/B = 1/2 + 0.492 mu (R/h)^(1/2) (Audoly, Clauvelin and Neukirch 2007; problem `knot`). The circumference
-- of the loop is what the length of the rope exceeds the distance of its ends by.
local overhand, references = include("overhand"), include("problems/references")

local RADIUS, E = 0.006, 1e6 -- m, Pa
local SIGMA = references["knot/loose/friction"].reference[1]

local function build(p)
  local s = vb.scene{ step = 1 / 100, duration = p.duration, damping = 1, gravity = { 0, 0, 0 } }
  local list, whole = overhand.knot(p.size, p.segments)
  local rope = s:rod{
    name = "rope", nodes = p.segments + 1, from = { 0, 0, 0 }, to = { 0, 0, whole }, radius = RADIUS, density = 1000,
    material = { model = "solid", E = E, nu = 0, kz = E, kv = 0 },
    position = function(t) local q = list[math.floor(t * p.segments + 0.5) + 1]; return q[1], q[2], q[3] end,
  }
  local far = (whole - (list[#list][3] - list[1][3]) - p.left) / 2
  for side = -1, 1, 2 do
    local at = list[side < 0 and 1 or #list]
    local d = s:driver{ name = side < 0 and "left" or "right", z = { { 0, 0 }, { p.duration, side * far } },
      x = { { 0, 0 }, { p.duration / 8, -at[1] } }, y = { { 0, 0 }, { p.duration / 8, -at[2] } } }
    s:pin{ node = side < 0 and rope.first or rope.last, components = "xyzs", driver = d }
  end
  local free = {}
  for i = 1, p.segments - 1 do free[i] = rope.first + i end
  s:pin{ nodes = free, components = "s" }
  s:contact{ friction = p.friction, self = true }
  overhand.stays(s, RADIUS)
  s:gate{
    name = "the left end, half way", quantity = "frames/position", node = rope.first, component = "z", measure = "value", at = p.duration / 2,
    near = list[1][3] - far / 2, tolerance = 1e-12, absolute = true, reason = "held by its driver to rounding",
  }
  local B = E * math.pi * RADIUS ^ 4 / 4
  s:gate{
    name = "energy of the open knot's bends", quantity = "energy/bend", measure = "first", near = 0.5 * B * overhand.bends(list, whole / p.segments),
    tolerance = 1e-9, reason = "half of the stiffness times the square of the curvature; rounding",
  }
  -- The mean of the law while the loop shrinks from `from` to `to` radii of the rope; both fall evenly over time.
  local function time_of(size) return p.duration * (1 - (2 * math.pi * size * RADIUS - p.left) / (2 * far)) end
  for _, range in ipairs{ { 20, 15 }, { 12, 9 } } do
    local mean = 0
    for i = 1, 100 do
      local R = RADIUS * (range[1] + (i - 0.5) / 100 * (range[2] - range[1]))
      mean = mean + B / R ^ 2 * (0.5 + SIGMA * p.friction * math.sqrt(R / RADIUS)) / 100
    end
    s:gate{
      name = "force from R = " .. range[1] .. " to " .. range[2] .. " h", quantity = "reaction/force", driver = 1, component = "z",
      measure = "mean", from = time_of(range[1]), to = time_of(range[2]), near = mean, tolerance = 0.1, finding = true,
      reason = "the law is of the leading order in (h/R)^(1/2), which is 0.22 to 0.33 here",
    }
  end
  s:record{ every = 1, frames = 10 }
  s:solver{ method = "xpbd", iterations = 30, substeps = 10 }
  return s
end

return {
  title = "Force of an overhand knot over the size of its loop",
  keywords = { "contact" },
  parameters = { friction = 0.1, size = 0.04, segments = 120, duration = 6.0, left = 0.3 },
  ranges = { friction = { least = 0 }, size = { above = 0 }, segments = { least = 30 }, duration = { above = 0 }, left = { above = 0 } },
  build = build,
  runs = function()
    local list = {}
    for k = 0, 3 do list[k + 1] = { name = "mu" .. k, label = "mu = " .. k / 10, parameters = { friction = k / 10 } } end
    return list
  end,
  figure = "knot_force",
  planted = { must = { "bending", "no-contact" } },
  gold = { steps = 5, frames = 5 },
}
