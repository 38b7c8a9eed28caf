-- The leaderboard: on six tasks, the fastest method and setting to an error of 10 %, 1 %, 1e-3, and 1e-6.
--
-- Steps are as long as a frame or a tenth of the task. Integrators, substeps and iterations are swept. The error is the
-- distance of the nodes at the end from those of a reference, root mean square, over the greatest displacement. The
-- reference has the same segments, so the error is that of solving the equations and of integrating them in time; it is
-- Newton's method in many substeps. How far it is from one with half as many is printed beside the errors, which it bounds.
local crowd = include("crowd")

local GRAVITY = 9.81 -- m/s^2

--- Tasks: the substeps of the reference, and the integrators, of which it has the first; the least substeps of others
--- (bundles that are turned fast diverge with fewer).
local tasks = {
  { name = "rod", substeps = 1024, integrators = { "bdf2", "euler" } },
  { name = "bar", substeps = 512, integrators = { "bdf2", "euler" } },
  { name = "rods", substeps = 512, integrators = { "bdf2", "euler" } },
  { name = "crowd", substeps = 256, integrators = { "euler" } },
  { name = "band", substeps = 256, integrators = { "euler" }, least = 4 },
  { name = "cable", substeps = 512, integrators = { "bdf2", "euler" } },
}
local methods = { "direct", "xpbd", "block-descent" }

local function round_rod(s, p, options)
  options.density, options.material = 1000, { E = p.E, nu = 0.49, model = "solid" }
  return s:rod(options)
end

local build_task = {}

--- A hundred rods that differ in nothing but their place: a batch. One rod: a single chain.
local function falling(p, bodies)
  local s = vb.scene{ step = 1 / 60, steps = 30, gravity = { 0, 0, -GRAVITY } }
  for k = 0, bodies - 1 do
    local rod = round_rod(s, p, { nodes = p.nodes, from = { 0, k, 0 }, to = { 1, k, 0 }, radius = 0.02 })
    s:pin{ node = rod.first, components = "xyz" }
    s:pin{ segment = rod.first_segment }
  end
  return s
end

function build_task.rod(p) return falling(p, 1) end

function build_task.rods(p) return falling(p, p.rods) end

function build_task.bar(p)
  local s = vb.scene{ step = 1 / 60, steps = 30 }
  local pull = s:driver{ name = "pull", z = { { 0, 0 }, { 0.5, 0.5 } } }
  local bar = round_rod(s, p, { nodes = p.nodes, from = { 0, 0, 0 }, to = { 0, 0, 1 }, radius = 0.1 })
  s:pin{ node = bar.first, components = "xyz" }
  s:pin{ node = bar.last, components = "xyz", driver = pull }
  return s
end

--- Octopuses that land, for few steps: later on such a motion depends on every rounding error.
function build_task.crowd(p)
  local s = vb.scene{ step = 1 / 60, steps = 12, gravity = { 0, 0, -10 }, damping = 3 }
  crowd(s, p.octopuses, 1, 0)
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5 }
  return s
end

function build_task.band(p)
  local s = vb.scene{ step = 1 / 60, steps = 60, damping = 10 }
  local bottom = s:driver{ name = "bottom" }
  local top = s:driver{ name = "top", z = { { 0, 0 }, { 1, 0.08 } }, angle = { { 0, 0 }, { 1, math.pi / 2 } } }
  local rods, n, length = {}, 16, 0.4
  for k = 1, 3 do
    local points, x = {}, 0.04 * (k - 2)
    for j = -1, n + 1 do points[#points + 1] = { x, 0, length * j / n } end
    rods[k] = round_rod(s, p, { points = points, radius = 0.04 / math.sqrt(math.pi) })
    s:pin{ nodes = { rods[k].first, rods[k].nodes[2] }, components = "xyzs", driver = bottom }
    s:pin{ nodes = { rods[k].nodes[n + 2], rods[k].last }, components = "xyzs", driver = top }
    s:pin{ segment = rods[k].first_segment, driver = bottom }
    s:pin{ segment = rods[k].last_segment, driver = top }
  end
  for j = 2, n + 1 do s:bundle{ segments = { rods[1].segments[j], rods[2].segments[j], rods[3].segments[j] } } end
  return s
end

--- A cable between two points sags, and swings.
function build_task.cable(p)
  local s = vb.scene{ step = 1 / 60, steps = 30, gravity = { 0, 0, -GRAVITY } }
  local cable = round_rod(s, p, {
    nodes = p.long, from = { 0, 0, 0 }, to = { 10, 0, 0 }, radius = 0.02,
  })
  s:pin{ node = cable.first, components = "xyz" }
  s:pin{ node = cable.last, components = "xyz" }
  return s
end

local function build(p)
  local s = build_task[p.task](p)
  s:record{ every = s.steps, frames = s.steps, fields = { "position" }, residual = true }
  return s
end

--- Substeps and iterations of a method's runs. One sweep in a whole step is left out: rods that bend diverge.
local function settings(method, integrator, tier)
  local list, newton = {}, method == "direct"
  local most = tier == "full" and 640 or newton and integrator == "bdf2" and 512 or 256
  for _, substeps in ipairs{ 1, 4, 16, 64, 256 } do
    for _, iterations in ipairs(newton and { 1, 2, 4 } or { 1, 10, 100 }) do
      local n = substeps * iterations
      if n <= most and (newton or n > 1) then list[#list + 1] = { substeps = substeps, iterations = iterations } end
    end
  end
  return list
end

local function runs(_, tier)
  local list = {}
  local function add(task, name, method, integrator, substeps, iterations, tolerance)
    list[#list + 1] = {
      name = task.name .. "." .. name, label = name, method = method, integrator = integrator, substeps = substeps,
      iterations = iterations, tolerance = tolerance, parameters = { task = task.name },
    }
  end
  for _, task in ipairs(tasks) do
    local function refer(name, substeps) add(task, name, "direct", task.integrators[1], substeps, 30, 1e-12) end
    refer("reference", task.substeps)
    refer("half", task.substeps // 2)
    for _, method in ipairs(methods) do
      for _, integrator in ipairs(task.integrators) do
        for _, one in ipairs(settings(method, integrator, tier)) do
          if one.substeps >= (task.least or 1) then
            add(task, string.format("%s.%s.%dx%d", method, integrator, one.substeps, one.iterations), method, integrator,
              one.substeps, one.iterations, 0)
          end
        end
      end
    end
  end
  return list
end

return {
  title = "Leaderboard: time to an error, by task and method",
  timed = true,
  parameters = { task = "rod", nodes = 33, rods = 100, octopuses = 2, long = 257, E = 1e6 },
  ranges = {
    task = { "rod", "bar", "rods", "crowd", "band", "cable" }, nodes = { least = 3 }, rods = { least = 1 },
    octopuses = { least = 1 }, long = { least = 3 }, E = { above = 0 },
  },
  build = build,
  runs = runs,
  figure = "leaderboard",
  gold = { runs = { "rod.direct.bdf2.4x2", "bar.xpbd.euler.4x10", "crowd.xpbd.euler.4x10" }, steps = 5, frames = 5 },
}
