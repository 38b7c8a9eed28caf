-- Plectonemes (figs. 2 and 10 of the paper on position-based rods): a straight rod with held ends,
-- one of which is turned six times while it approaches the other. With contact the strands coil
-- about each other, and writhe + twist equals the applied turns; with pbd and few iterations turns
-- are lost by flips or by strands that cross.
local strained = include("strained")
local radius, K, turns, seconds = 0.015, 0.002, 6, 12
local moment = math.pi * radius ^ 4 / 4
local material = { kx = K / moment / 2, ky = K / moment / 2, kz = K / moment, kv = 0, kbx = 0, kby = 0 } -- B = K3 = K
local edges = 60

local function noise(seed)
  local state = 7919 * seed + 12345
  return function()
    state = (1103515245 * state + 12345) % 2147483648
    return 1e-4 * (state / 1073741824 - 1)
  end
end

local function build(p)
  local s = vb.scene{ step = p.step, duration = seconds + 6, damping = 1 }
  local random = noise(p.seed)
  local points = {} -- at the start, in the order of the nodes
  local function start(x, y, z)
    points[#points + 1] = { x, y, z }
    return x, y, z
  end
  local rod = s:rod{
    nodes = edges + 1, from = { 0, 0, 0 }, to = { 0, 0, 1 }, radius = radius, density = 1 / (math.pi * radius ^ 2),
    material = material,
    position = function(t, x, y, z)
      local a, b = random(), random()
      if t < 1.5 / edges or t > 1 - 1.5 / edges then return start(x, y, z) end
      return start(x + a, y + b, z)
    end,
  }
  local top = s:driver{
    name = "top", origin = { 0, 0, 1 }, axis = { 0, 0, 1 }, z = { { 0, 0 }, { seconds, -0.3 } },
    angle = { { 0, 0 }, { seconds, 2 * math.pi * turns } },
  }
  s:pin{ nodes = { rod.first, rod.first + 1 }, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  s:pin{ nodes = { rod.last - 1, rod.last }, components = "xyz", driver = top }
  s:pin{ segment = rod.last_segment, driver = top }
  if p.held_scales then -- of other solvers' rods, as umetani's have none
    s:pin{ nodes = { rod.first, rod.first + 1 }, components = "s" }
    s:pin{ nodes = { rod.last - 1, rod.last }, components = "s", driver = top }
    for k = rod.first + 2, rod.last - 2 do s:pin{ node = k, components = "s" } end
  end
  if p.contact then s:contact{ self = true, margin = 0.1 * radius } end
  s:record{ every = 15, frames = math.floor(0.25 / p.step + 0.5), fields = { "position", "frame" } }
  s:solver{ solver = "umetani", method = p.method, iterations = 10 }
  s:gate{
    name = "the end comes nearer", quantity = "frames/position", node = rod.last, component = "z", measure = "value",
    at = seconds / 2, near = 1 - 0.3 / 2, tolerance = 1e-12, absolute = true, reason = "at its driver's place: rounding",
  }
  local kept = p.method == "xpbd" and p.contact
  s:gate{
    name = "writhe + twist", quantity = "ribbon/linking", measure = "final", near = turns, tolerance = 0.02, absolute = true,
    finding = not kept,
    reason = kept and "no turn is lost; the sum is whole but for the bend between the clamps"
      or p.contact and "ten iterations do not hold six turns: a strand slips through" or "strands cross, two turns at a time",
  }
  if not kept then return s end
  strained(s, K / moment * math.pi * radius ^ 2, function(t) return 0, 0, t end, points, 1e-6)
  s:gate{ name = "coils", quantity = "ribbon/writhe", measure = "final", at_least = 1, reason = "1.55 turns are known" }
  s:gate{
    name = "strands apart", quantity = "penetration", measure = "maximum", at_most = 0.06 * radius,
    reason = "at least 0.97 diameters between center lines",
  }
  s:gate{
    name = "at rest", quantity = "energy/kinetic", measure = "maximum", from = seconds + 5, to = seconds + 6,
    at_most = 0.005, reason = "a mean speed of a tenth of the length a second",
  }
  return s
end

local function runs(_, tier)
  local list = {
    { name = "pbd", label = "pbd, 1/60 s", parameters = { method = "pbd", step = 1 / 60 } },
    { name = "through", label = "xpbd without contact", parameters = { contact = false } },
  }
  for seed = tier == "full" and 3 or 1, 1, -1 do
    table.insert(list, 1, { name = "xpbd-" .. seed, label = "xpbd", parameters = { seed = seed } })
  end
  return list
end

return {
  title = "Plectonemes of position-based rods",
  parameters = { seed = 1, method = "xpbd", contact = true, step = 1 / 200, held_scales = false },
  build = build,
  runs = runs,
  planted = { must = { "slow-time" } },
  gold = { steps = 20, frames = 20, runs = { "xpbd-1", "pbd" } },
  figure = "umetani_plectoneme",
}
