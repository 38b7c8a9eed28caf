-- Recovery from random points (fig. 11 of the paper on position-based rods): the nodes of a free
-- rod (solver umetani, method pbd) start anywhere in a cube, and return to the rest shape, straight
-- or a spring; and a spring starts as a straight line. Three seeds. Shapes are measured by
-- distances of nodes: between the ends, and of each end from the middle. Also a spring whose rest
-- lengths change during the run, to 0.6 of them and back: joints keep their angles, so that the
-- whole rest shape is 0.6 times as large.
local strained = include("strained")

local function noise(seed)
  local state = 7919 * seed + 12345
  return function()
    state = (1103515245 * state + 12345) % 2147483648
    return state / 2147483648 - 0.5
  end
end

local turns, r, height = 3, 0.06, 0.5
local function spring(t)
  local a = 2 * math.pi * turns * t
  return r * math.cos(a) - r, r * math.sin(a), height * t
end
local function line(t) return 0, 0, t end

local function resized(rod, s)
  s:activation{
    segments = rod.segments, kind = "strain",
    amount = { { 0, 1, "cubic" }, { 1, 0.6, "hold" }, { 9, 0.6, "cubic" }, { 10, 1 } },
  }
  local x, y, z = spring(0)
  local u, v, w = spring(0.5)
  local apart = math.sqrt((u - x) ^ 2 + (v - y) ^ 2 + (w - z) ^ 2)
  u, v, w = spring(1 / 30)
  s:gate{
    name = "the first edge as it shortens", quantity = "frames/position", node = 1, apart_from = 0, measure = "value", at = 0.5,
    near = 0.8 * math.sqrt((u - x) ^ 2 + (v - y) ^ 2 + (w - z) ^ 2), tolerance = 3e-3,
    reason = "a length is projected in each iteration; a quarter of what a step shortens it by",
  }
  for at, part in pairs{ [9] = 0.6, [1000 / 60] = 1 } do
    s:gate{
      name = string.format("%g times as large", part), quantity = "frames/position", node = 15, apart_from = 0,
      measure = "value", at = at, near = part * apart, tolerance = 1e-3,
      reason = "rest angles of joints stay, lengths are multiplied: the shape is multiplied",
    }
  end
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 1000, damping = 1 }
  local random = noise(p.seed)
  local curve = p.shape == "line" and line or spring
  local points = {} -- at the start, in the order of the nodes
  local function start(x, y, z)
    points[#points + 1] = { x, y, z }
    return x, y, z
  end
  local rod = s:rod{
    nodes = 31, radius = 0.01, density = 1000, material = { E = 1e6, nu = 0.45 }, curve = curve,
    position = function(t, x, y, z)
      local a, b, c = random(), random(), random()
      if p.resized then return start(x, y, z) end
      if p.from_line then return start(0, 0, 1.24 * t) end -- as long as the spring
      return start(a, b, c + 0.5)
    end,
  }
  s:record{ every = 10, frames = 10, fields = { "position" } }
  s:solver{ solver = "umetani", order = p.order }
  if p.resized then
    resized(rod, s)
    return s
  end
  strained(s, 1e6 * math.pi * 0.01 ^ 2, curve, points, 1e-10)
  for _, pair in ipairs{ { 0, 30 }, { 0, 15 }, { 15, 30 } } do
    local x, y, z = curve(pair[1] / 30)
    local u, v, w = curve(pair[2] / 30)
    local goal = math.sqrt((u - x) ^ 2 + (v - y) ^ 2 + (w - z) ^ 2)
    local function add(steps, tolerance, reason)
      s:gate{
        name = string.format("nodes %d and %d, %d steps", pair[1], pair[2], steps), quantity = "frames/position",
        node = pair[2], apart_from = pair[1], measure = "value", at = steps / 60, near = goal, tolerance = tolerance,
        absolute = true, reason = reason,
      }
    end
    add(200, 0.15, "0.065 m RMS is known as the worst of three seeds")
    add(1000, 1e-3, "a thousandth of the length")
  end
  return s
end

local function runs()
  local list = {}
  for seed = 1, 3 do
    for _, shape in ipairs{ "line", "spring" } do
      list[#list + 1] = {
        name = shape .. "-" .. seed, label = shape .. ", seed " .. seed, parameters = { shape = shape, seed = seed },
      }
    end
  end
  list[#list + 1] = { name = "unrolled", label = "a spring from a line", parameters = { shape = "spring", from_line = true } }
  list[#list + 1] = { name = "resized", label = "a spring of changing length", parameters = { shape = "spring", resized = true } }
  return list
end

return {
  title = "Recovery of position-based rods from random points",
  parameters = { shape = "line", seed = 1, order = "interleaved", from_line = false, resized = false },
  build = build,
  runs = runs,
  planted = { must = { "slow-time" } },
  gold = { steps = 20, frames = 20, runs = { "line-1", "unrolled" } },
  figure = "umetani_recovery",
}
