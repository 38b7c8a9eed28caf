-- Piles that stand in whole steps of 1/60 s, with bodies, contacts and friction solved together
-- (contact_solve = newton): a stack of thirty rings, nine rings under a tenth that is a thousand times as heavy, a pyramid of
-- parallel rods between stops, and a log cabin of ten courses, which falls if a log is taken away.
local stacked_ring = include("stacked_ring")

local STEP, GRAVITY, DENSITY, FRICTION = 1 / 60, 10, 1000, 0.5 -- s, m/s^2, kg/m^3
local LAYERS, SIDE, RADIUS = 30, 0.5, 0.05 -- of the rings, m
local LOADED, HEAVIER = 10, 1000 -- rings under a load and with it, and its mass over that of each
local ROWS, ROD, LENGTH = 3, 0.05, 0.6 -- of the pyramid, m
local COURSES, SPAN = 10, 0.2 -- of the cabin, and half of the distance of its walls, m

local function rings(s, p)
  local top
  for layer = 0, LAYERS - 1 do
    top = stacked_ring(s, layer, { radius = RADIUS, side = SIDE, E = p.E, density = DENSITY })
  end
  return { top = top, height = (2 * LAYERS - 1) * RADIUS, mass = LAYERS * math.pi * RADIUS ^ 2 * 4 * SIDE * DENSITY, radius = RADIUS, middle = LAYERS * RADIUS }
end

--- Ten rings, stiffer ones, of which the last is a thousand times as heavy as each below. With penalties of the light rings'
--- inertia a solve keeps a residual of 2e-6.
local function heavy(s, p)
  local top
  for layer = 0, LOADED - 1 do
    top = stacked_ring(s, layer, {
      radius = RADIUS, side = SIDE, E = 100 * p.E, density = layer == LOADED - 1 and HEAVIER * DENSITY or DENSITY,
    })
  end
  local ring, rest = math.pi * RADIUS ^ 2 * 4 * SIDE * DENSITY, LOADED - 1
  return {
    top = top, height = (2 * LOADED - 1) * RADIUS, mass = (rest + HEAVIER) * ring, radius = RADIUS,
    middle = (rest * rest + HEAVIER * (2 * LOADED - 1)) * RADIUS / (rest + HEAVIER),
  }
end

--- Rods along y, each row in the grooves of the one below; stops hold the lowest row.
local function pyramid(s, p)
  local out = { radius = ROD, height = ROD + (ROWS - 1) * math.sqrt(3) * ROD }
  local n, sum = 0, 0
  for row = 0, ROWS - 1 do
    for k = 1, ROWS - row do
      local x, z = (2 * k - 1 - (ROWS - row)) * ROD, ROD + row * math.sqrt(3) * ROD
      local rod = s:rod{
        name = string.format("rod%d-%d", row, k), nodes = 3, from = { x, -LENGTH / 2, z }, to = { x, LENGTH / 2, z }, radius = ROD,
        density = DENSITY, material = { E = p.E, nu = 0.3 },
      }
      out.top, n, sum = rod.first, n + 1, sum + z
    end
  end
  out.mass, out.middle = n * DENSITY * math.pi * ROD ^ 2 * LENGTH, sum / n
  for side = -1, 1, 2 do
    s:halfplane{ normal = { side, 0, 0 }, offset = -ROWS * ROD, friction = FRICTION }
  end
  return out
end

--- Two logs in each course, across those below. Nothing presses on the last course, whose logs would roll inward on those below,
-- which sag: they cannot turn about their axes, as in notches. The cabin without a log has one in its third course.
local function cabin(s, p)
  local out, n, sum = { radius = ROD, height = (2 * COURSES - 1) * ROD }, 0, 0
  for course = 0, COURSES - 1 do
    local z = (2 * course + 1) * ROD
    for side = -1, 1, 2 do
      if not (p.pile == "cabin-without" and course == 2 and side == 1) then
        local function at(t)
          local along, across = (t - 0.5) * LENGTH, side * SPAN
          if course % 2 == 0 then return { along, across, z } end
          return { across, along, z }
        end
        local log = s:rod{
          name = string.format("log%d%s", course, side < 0 and "a" or "b"), nodes = 3, from = at(0), to = at(1), radius = ROD, density = DENSITY,
          material = { E = p.E, nu = 0.3 },
        }
        if course == COURSES - 1 then s:pin{ segments = log.segments, frame = "w" } end
        out.top, n, sum = log.first, n + 1, sum + z
      end
    end
  end
  out.mass, out.middle = n * DENSITY * math.pi * ROD ^ 2 * LENGTH, sum / n
  return out
end

local piles = { rings = rings, heavy = heavy, pyramid = pyramid, cabin = cabin, ["cabin-without"] = cabin }

local function build(p)
  local s = vb.scene{ step = STEP, duration = p.duration, gravity = { 0, 0, -GRAVITY }, damping = 1 }
  local pile = piles[p.pile](s, p)
  s:name{ node = pile.top, name = "top" }
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = FRICTION }
  s:contact{ friction = FRICTION }
  s:record{ every = 1, frames = 30, fields = { "position", "scale", "frame", "half_plane_force" }, residual = true }
  s:solver{ method = "direct", iterations = 60 }
  if p.pile == "cabin-without" then
    s:gate{
      name = "it falls", quantity = "frames/position", node = pile.top, component = "z", at_most = 0.5 * pile.height,
      reason = "the walls above the missing log have nothing under one end, and come down with the last course",
    }
    s:gate{
      name = "no energy from nothing", quantity = "balance/energy_gain", measure = "maximum", at_most = 1e-6,
      reason = "rounding, as blows take energy. If forces of the last step are held on to where they lead nowhere, it is 0.2",
    }
    return s
  end
  s:gate{
    name = "residual", quantity = "residual", measure = "maximum", at_most = 1e-7, finding = p.pile == "pyramid",
    reason = "ten times the tolerance, as the parts of contacts are weighed otherwise. Where contacts slide, as those of the pyramid do, some steps need more than sixty Newton steps",
  }
  s:gate{
    name = "distance from the minimizer", quantity = "newton_step", measure = "maximum", at_most = 1e-6,
    reason = "a micrometer: the solve leaves parts of 1e-8 of the forces. A pile whose solve ends early is a free fall in a step off, 3 mm",
  }
  s:gate{ name = "nothing is truncated", quantity = "contact_truncated", measure = "maximum", at_most = 0, reason = "contacts hold what stands" }
  local from = p.duration - 0.5
  s:gate{
    name = "at rest", quantity = "energy/kinetic", measure = "maximum", from = from, at_most = 1e-6 * pile.mass * GRAVITY * pile.radius,
    reason = "a millionth of its weight times the radius",
  }
  s:gate{
    name = "the ground carries all", quantity = "frames/half_plane_force", half_plane = p.pile == "pyramid" and 2 or 0, component = "z",
    near = -pile.mass * GRAVITY, tolerance = p.pile == "pyramid" and 0.05 or 1e-3,
    reason = "its weight, but for what still moves; stops carry 2 % of the pyramid by friction",
  }
  s:gate{
    name = "energy of the weight", quantity = "energy/gravity", near = pile.mass * GRAVITY * pile.middle, tolerance = 0.01,
    reason = "its weight times the height of its middle, but for how sections flatten",
  }
  s:gate{
    name = "it stands", quantity = "frames/position", node = pile.top, component = "z", near = pile.height, tolerance = 0.2 * pile.radius, absolute = true,
    reason = "sections flatten by the weight; what fell would be two radii lower",
  }
  s:gate{
    name = "it does not slide", quantity = "frames/position", node = pile.top, component = "x", measure = "drift", at_most = 0.02 * pile.radius,
    reason = "friction holds; a fiftieth of the radius for how sections bend",
  }
  return s
end

return {
  title = "Piles that stand in whole steps",
  keywords = { "contact", "friction" },
  parameters = { pile = "rings", duration = 1.0, E = 1e7 },
  ranges = { pile = { "rings", "heavy", "pyramid", "cabin", "cabin-without" }, duration = { least = 1 }, E = { above = 0 } },
  build = build,
  figure = "contact_stands",
  runs = function(_, tier)
    local list = {}
    for _, pile in ipairs{ "rings", "heavy", "pyramid", "cabin", "cabin-without" } do
      list[#list + 1] = {
        name = pile, label = pile, contact_solve = "newton",
        parameters = { pile = pile, duration = pile == "cabin-without" and 1 or tier == "full" and 60 or 1 },
      }
    end
    return list
  end,
  planted = { must = { "no-contact" }, exempt = { stale = "it stands: the state of one step before is the same" } },
  gold = { steps = 4, frames = 4, runs = { "rings" } },
}
