-- Friction by body: the largest coefficient of two bodies in contact applies. Capsules slide on a
-- slope, some with their own coefficients, and across two rails, which have theirs. The motion has
-- a closed form in steps of implicit Euler. Frames are held, so that nothing rolls.
local GRAVITY, RADIUS, LENGTH, SLOPE, SPEED, STEP = 10, 0.05, 0.4, 0.3, 1.0, 1 / 200 -- m/s^2, m, m, rad, m/s, s

local LEFT = "exact in steps of implicit Euler, whatever pushes, for the weight is what pushes; what 30 iterations leave, below 1e-10"

--- The capsules: their own friction, set by the rod or by s:friction; `counts` is the coefficient that must apply,
--- together with the ground's.
local function sliders_of(p)
  local list = {
    { name = "bare" },
    { name = "smoother", own = p.ground / 2 },
    { name = "rougher", own = 0.25, rod = true },
    { name = "rough", own = 0.4 },
    { name = "kinetic", static = 0.5, kinetic = 0.28 },
    { name = "held", own = 0.5, rest = true },
  }
  for _, slider in ipairs(list) do slider.counts = math.max(p.ground, slider.own or slider.kinetic or 0) end
  return list
end

local function own_friction(s, slider, node)
  if slider.rod or not (slider.own or slider.static) then return end
  s:friction{ node = node, friction = slider.own, static_friction = slider.static, kinetic_friction = slider.kinetic }
end

--- Position and speed of a capsule after `steps` steps, each of which adds g sin and takes mu g cos, until it stands:
--- then friction takes what the slope adds.
local function slide(slider, steps)
  local x, v = 0, slider.rest and 0 or SPEED
  for _ = 1, steps do
    local free = v + STEP * GRAVITY * math.sin(SLOPE)
    v = math.max(free - STEP * slider.counts * GRAVITY * math.cos(SLOPE), 0)
    x = x + STEP * v
  end
  return x, v
end

local function add_slider(s, p, slider, i)
  local on_rails = p.case == "rails"
  -- Along the way on the plane, across the rails on them.
  local from, to = { -LENGTH / 2, i, RADIUS }, { LENGTH / 2, i, RADIUS }
  if on_rails then from, to = { 0, i - LENGTH / 2, RADIUS }, { 0, i + LENGTH / 2, RADIUS } end
  local rod = s:rod{
    name = slider.name, nodes = 2, from = from, to = to, radius = RADIUS, density = 1000, material = { E = 1e6, nu = 0.3 },
    velocity = { slider.rest and 0 or SPEED, 0, 0 }, friction = slider.rod and slider.own or nil,
  }
  s:pin{ nodes = rod.nodes, components = "s" }
  s:pin{ segment = rod.first_segment }
  own_friction(s, slider, rod.first)
  return rod
end

--- Two rails below the capsule with the friction of the ground, set in another way than the capsule's.
local function add_rails(s, p, i)
  for side = -1, 1, 2 do
    local y = i + side * LENGTH / 4
    local rail = s:rod{
      name = "rail", nodes = 2, from = { -1, y, -RADIUS }, to = { 3, y, -RADIUS }, radius = RADIUS, density = 1000,
      material = { E = 1e6, nu = 0.3 }, friction = p.ground,
    }
    s:pin{ nodes = rail.nodes, components = "xyzs" }
    s:pin{ segment = rail.first_segment }
  end
end

local function add_gates(s, p, slider, rod)
  for _, part in ipairs{ 0.5, 1 } do
    local steps = math.floor(part * p.steps)
    local x, v = slide(slider, steps)
    local function gate(what, quantity, origin, near)
      s:gate{
        name = string.format("%s, %s after %d steps", slider.name, what, steps), quantity = quantity, node = rod.first,
        component = "x", origin = origin, measure = "value", at = steps * STEP, near = near, tolerance = 1e-7, absolute = true,
        reason = LEFT,
      }
    end
    gate("place", "frames/position", p.case == "plane" and -LENGTH / 2 or 0, x)
    gate("velocity", "frames/velocity", 0, v)
  end
end

--- Kinetic energy of all capsules at the end [J].
local function kinetic(p)
  local sum = 0
  for _, slider in ipairs(sliders_of(p)) do
    local _, v = slide(slider, p.steps)
    sum = sum + 1000 * math.pi * RADIUS ^ 2 * LENGTH * v ^ 2 / 2
  end
  return sum
end

local function build(p)
  local s = vb.scene{
    step = STEP, steps = p.steps, gravity = { GRAVITY * math.sin(SLOPE), 0, -GRAVITY * math.cos(SLOPE) },
  }
  if p.case == "plane" then s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = p.ground } else s:contact{ margin = 0.01 } end
  for i, slider in ipairs(sliders_of(p)) do
    if p.case == "rails" then add_rails(s, p, i) end
    local rod = add_slider(s, p, slider, i)
    add_gates(s, p, slider, rod)
  end
  s:gate{
    name = "kinetic energy", quantity = "energy/kinetic", near = kinetic(p), tolerance = 1e-6, reason = LEFT,
  }
  s:record{ every = 1, frames = 1, fields = { "position", "scale", "frame", "velocity" } }
  s:solver{ iterations = 30 }
  return s
end

return {
  title = "Friction of bodies: the greatest of two coefficients",
  keywords = { "contact" },
  parameters = { case = "plane", ground = 0.2, steps = 100 },
  ranges = { case = { "plane", "rails" }, ground = { least = 0 }, steps = { least = 2 } },
  build = build,
  grid = { case = { "plane", "rails" }, method = { "direct", "xpbd", "block-descent" } },
  figure = "friction_bodies",
  planted = { must = { "friction" } },
  gold = { steps = 10, frames = 10, runs = { "direct-plane", "xpbd-rails" } },
}
