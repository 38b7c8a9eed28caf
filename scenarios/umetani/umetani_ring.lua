-- Rings with twist (fig. 9 of the paper on position-based rods, after Bergou et al. 2008). A ring
-- of a naturally straight rod leaves its plane at sqrt(3) B/K3 turns (Michell). A closed ring with
-- whole turns in its initial frames preserves writhe + twist. An open rod is bent into a ring, and
-- one of its ends, held side by side, is turned slowly. Strands are in contact.
local edges, radius, B = 40, 0.02, 0.005
local moment = math.pi * radius ^ 4 / 4
local circle = 1 / (2 * math.pi)

-- Stiffnesses of a material with B and K3 = B/ratio: K3 goes with kx + ky.
local function material(ratio)
  local k = B / moment
  return { kx = k / ratio / 2, ky = k / ratio / 2, kz = k, kv = 0, kbx = 0, kby = 0 }
end
local density = 1 / (math.pi * radius ^ 2) -- of a mass of 1 kg

local function noise()
  local state = 4711
  return function()
    state = (1103515245 * state + 12345) % 2147483648
    return 1e-4 * (state / 1073741824 - 1)
  end
end

-- The frame along the tangent at angle a of the ring, turned about it by b from the outward direction.
local function frame(a, b)
  -- (sqrt(1/2), -sqrt(1/2), 0, 0) turns e_z to e_y and keeps e_x: outward and tangent at a = 0.
  local function times(p, q)
    return { p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4], p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
      p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2], p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1] }
  end
  local h = math.sqrt(0.5)
  local q = times(times({ math.cos(a / 2), 0, 0, math.sin(a / 2) }, { h, -h, 0, 0 }), { math.cos(b / 2), 0, 0, math.sin(b / 2) })
  return { q[1], q[2], q[3], q[4] }
end

local function closed(s, p)
  local nodes, segments, random = {}, {}, noise()
  for i = 1, edges do
    local a = 2 * math.pi * (i - 1) / edges
    local x, y = circle * math.cos(a), circle * math.sin(a)
    nodes[i] = s:node{ position = { x, y, 0 }, start = { x + random(), y + random(), random() }, radius = radius }
  end
  for i = 1, edges do
    local a = 2 * math.pi * (i - 0.5) / edges
    segments[i] = s:segment{
      nodes = { nodes[i], nodes[i % edges + 1] }, density = density, material = material(p.ratio),
      frame = frame(a, 0), start_frame = frame(a, p.turns * a),
      bending = p.ribbon and { 1, 0.01 } or nil, -- softer about the axis that the ring bends about
    }
  end
  for i = 1, edges do
    s:joint{ segments = { segments[i], segments[i % edges + 1] }, rest_curvature = { 0, 0, 0 } }
  end
  local flat = p.turns < math.sqrt(3) * p.ratio
  s:gate{
    name = "writhe + twist", quantity = "ribbon/linking", measure = "final", near = p.turns, tolerance = 1e-10,
    absolute = true, reason = "a whole number of a closed ring, and no turn is lost; rounding",
  }
  if p.undamped then
    s:gate{
      name = "no energy from nothing", quantity = "balance/energy_gain", measure = "maximum", at_most = 0.1,
      reason = "nothing drives it; strands that strike each other in whole steps are pushed apart faster than they came",
    }
  end
  if p.ribbon then return end
  s:gate{
    name = "energy of the ring", quantity = "energy/total", measure = "first", near = 0.5 * B * (2 * math.pi) ^ 2 * (1 + p.turns ^ 2 / p.ratio),
    tolerance = 0.03, reason = "of an even bend by a whole turn, and of the twist; 40 edges and noise add 1 to 2 %",
  }
  if flat then
    s:gate{
      name = "flat", quantity = "ribbon/writhe", measure = "final", near = 0, tolerance = 0.005, absolute = true,
      reason = "below Michell's sqrt(3) B/K3 turns what noise stirs dies away, slowest next to it: 2 of 2.6 turns leave 0.002",
    }
  else
    s:gate{
      name = "writhes", quantity = "ribbon/writhe", measure = "maximum_abs", at_least = 0.5,
      reason = "above sqrt(3) B/K3 turns",
    }
  end
end

local function open(s, p)
  local random = noise()
  local rod = s:rod{
    nodes = edges + 1, from = { 0, 0, 0 }, to = { 0, 0, 1 }, radius = radius, density = density, material = material(p.ratio),
    position = function(t)
      local a, x, y, z = 2 * math.pi * t, random(), random(), random()
      if t < 1.5 / edges or t > 1 - 1.5 / edges then x, y, z = 0, 0, 0 end
      return x + circle * math.cos(a), y + circle * math.sin(a), z
    end,
  }
  local along = 2 * math.pi * (edges - 0.5) / edges
  local turn = s:driver{
    name = "turn", origin = { circle, 0, 0 }, axis = { -math.sin(along), math.cos(along), 0 },
    angle = { { 0, 0 }, { 28, 8.4 * math.pi } },
  }
  s:pin{ nodes = { rod.first, rod.first + 1, rod.last - 1, rod.last }, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  s:pin{ segment = rod.last_segment, driver = turn }
  if p.method == "direct" then -- viper's rods with their scales held, as umetani's have none
    s:pin{ nodes = { rod.first, rod.first + 1, rod.last - 1, rod.last }, components = "s" }
    for k = rod.first + 2, rod.last - 2 do s:pin{ node = k, components = "s" } end
  end
  -- 0.15 turns a second, from what the start frames have: they follow the center line from the straight one.
  local function time_of(part) return (part * math.sqrt(3) * p.ratio + (edges - 1) / edges) / 0.15 end
  local pbd = p.method == "pbd"
  s:gate{
    name = "flat until 0.95 of the threshold", quantity = "ribbon/writhe", measure = "maximum_abs", from = 0,
    to = time_of(0.95), at_most = 0.1, finding = pbd,
    reason = pbd and "its K3 is 2.4 B where ghosts are a length away: 0.72 turns"
      or "Michell's threshold, but for 2.5 %, the square of an edge's angle 2 pi / 40; noise begins it as much earlier",
  }
  -- A direct method leaves no noise: a writhe of 1e-7 has to grow first.
  local late = p.method == "direct" and 1.35 or 1.12
  s:gate{
    name = string.format("writhes at %g of the threshold", late), quantity = "ribbon/writhe", measure = "maximum_abs",
    from = 0, to = time_of(late), at_least = 0.5, reason = "Michell's sqrt(3) B/K3 turns; what writhes grows by a factor of e in 0.02 to 0.04 of the threshold's time",
  }
  if pbd then return end
  local thick = p.ratio > 1
  s:gate{
    name = "coils at 3 turns", quantity = "ribbon/writhe", measure = "final", at_least = 1.5, finding = thick,
    reason = thick and "strands as thick as 0.04 of the length meet first; half as thick they come to 2.01, with 80 edges to 1.72"
      or "1.55 turns and more are known",
  }
end

local function build(p)
  local s = vb.scene{ step = 1 / 200, duration = p.closed and 6 or p.method == "pbd" and 20 or 28, damping = p.undamped and 0 or p.closed and 4 or 1 }
  if p.closed then closed(s, p) else open(s, p) end
  s:contact{ self = true, margin = 0.1 * radius }
  s:record{ every = 100, frames = 50, fields = { "position", "frame" } }
  s:solver{ solver = "umetani", method = p.method == "pbd" and "pbd" or "xpbd", iterations = p.closed and 20 or 10 }
  return s
end

local function runs()
  local list = {}
  for _, ratio in ipairs{ 1, 1.5 } do
    for turns = 1, 2 do
      list[#list + 1] = {
        name = string.format("closed-%g-%d", ratio, turns), label = string.format("B/K3 = %g, %d turns", ratio, turns),
        parameters = { closed = true, ratio = ratio, turns = turns },
      }
    end
    list[#list + 1] = {
      name = string.format("open-%g", ratio), label = string.format("B/K3 = %g", ratio), parameters = { ratio = ratio },
    }
  end
  list[#list + 1] = { -- K1 = 100 K2 = 25 K3
    name = "ribbon", label = "ribbon, 2 turns", parameters = { closed = true, ribbon = true, ratio = 25, turns = 2 },
  }
  -- Without damping, as in print: implicit steps alone take energy.
  list[#list + 1] = {
    name = "undamped", label = "B/K3 = 1, 2 turns, no damping", parameters = { closed = true, turns = 2, undamped = true },
  }
  list[#list + 1] = {
    name = "ribbon-undamped", label = "ribbon, 2 turns, no damping",
    parameters = { closed = true, ribbon = true, ratio = 25, turns = 2, undamped = true },
  }
  list[#list + 1] = {
    name = "open-viper", label = "viper, direct", parameters = { method = "direct" },
    solver = "viper", method = "direct", iterations = 2,
  }
  list[#list + 1] = { name = "open-pbd", label = "pbd", parameters = { method = "pbd" } }
  return list
end

return {
  title = "Rings of position-based rods with twist",
  parameters = { closed = false, ribbon = false, undamped = false, ratio = 1, turns = 2, method = "xpbd" },
  build = build,
  runs = runs,
  planted = { exempt = { stale = "what is checked are writhe and linking number, which change by less than 1e-2 in a step" } },
  gold = { steps = 20, frames = 20, runs = { "closed-1-2", "open-1.5" } },
  figure = "umetani_ring",
}
