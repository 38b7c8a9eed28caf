-- Published times of position-based rods (Umetani et al. 2014; Kugelstadt and Schoemer 2016, table
-- 1), on rods clamped at one end and released under gravity, and times of VIPER's methods on the
-- same scenes. Published, on one core of their machines: 30 edges and 10 iterations 1.06 and 1.1
-- ms; 50 edges and 10, 18, 80 iterations 1.65, 2.16, 9.18 ms a step.

local cases = {
  { name = "e30", edges = 30, iterations = 10, print = "1.06 ms" },
  { name = "e50-n10", edges = 50, iterations = 10, print = "1.65 ms" },
  { name = "e50-n18", edges = 50, iterations = 18, print = "2.16 ms" },
  { name = "e50-n80", edges = 50, iterations = 80, print = "9.18 ms" },
  { name = "hair", edges = 20, iterations = 10, rods = 200, threads = 2, print = "at an interactive rate" },
  { name = "crowd", edges = 32, iterations = 10, rods = 1000, threads = 2, print = "not in print" },
}
local solvers = {
  { name = "pbd", solver = "umetani", method = "pbd" },
  { name = "xpbd", solver = "umetani", method = "xpbd" },
  { name = "viper-xpbd", solver = "viper", method = "xpbd", tolerance = 0 },
  { name = "viper-direct", solver = "viper", method = "direct", tolerance = 0, iterations = 2 },
}

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 60, gravity = { 0, 0, -9.81 } }
  local side = math.ceil(math.sqrt(p.rods))
  for k = 0, p.rods - 1 do
    local x, y = 2 * (k % side), 2 * (k // side)
    local rod = s:rod{
      nodes = p.edges + 1, radius = 0.02, density = 1000, material = { E = 1e6, nu = 0.49 },
      curve = function(t) return x + math.sin(t), y + 1 - math.cos(t), 0 end,
    }
    s:pin{ node = rod.first, components = "xyz" }
    s:pin{ segment = rod.first_segment }
  end
  s:record{ every = 10, frames = 60, fields = { "position" } }
  s:bench{ after = 10 }
  return s
end

local function runs(_, tier)
  local list = {}
  for _, case in ipairs(cases) do
    for k, solver in ipairs(solvers) do
      if tier == "full" or k < 3 then
        local run = {
          name = solver.name .. "." .. case.name, label = solver.name .. ", " .. case.name .. " (" .. case.print .. ")",
          parameters = { edges = case.edges, rods = case.rods or 1 }, iterations = case.iterations,
          threads = case.threads or 1,
        }
        for key, value in pairs(solver) do
          if key ~= "name" then run[key] = value end
        end
        list[#list + 1] = run
      end
    end
  end
  return list
end

return {
  title = "Position-based rods beside the times in print",
  parameters = { edges = 30, rods = 1 },
  build = build,
  runs = runs,
  gold = { runs = { "pbd.e30", "xpbd.e30" } },
}
