-- Rods by position-based solvers beside others: the same scenes by umetani (pbd, xpbd), by viper (xpbd, block-descent, direct)
-- and by bergou, with more and more iterations and shorter and shorter steps. Where there is one, the answer is a closed form
-- of the discrete rod; the material has no Poisson's ratio, so that all of them stand for the same stiffnesses.
--   bend: a cantilever with a weight on its tip; twist: a rod turned by one radian; recovery: a spring that was drawn out to a
--   line; coil: a rod that is turned six times while its ends come nearer (bergou has no contact); hair: ten strands.
local radius, density, E, edges = 0.02, 1000, 3e6, 15
local moment, mass = math.pi * radius ^ 4 / 4, math.pi * radius ^ 2 * density
local l = 1 / edges
local weight = 0.0225 -- N: 2 % of the length
local material = { E = E, nu = 0 }

local solvers = {
  { name = "pbd", solver = "umetani", method = "pbd" },
  { name = "xpbd", solver = "umetani", method = "xpbd" },
  { name = "viper-xpbd", solver = "viper", method = "xpbd", tolerance = 0 },
  { name = "block-descent", solver = "viper", method = "block-descent", tolerance = 0 },
  { name = "direct", solver = "viper", method = "direct", tolerance = 0, most = 10 },
  { name = "bergou", solver = "bergou", most = 10 },
}

local function bar(s)
  local rod = s:rod{
    nodes = edges + 1, from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = radius, density = density, material = material,
  }
  s:pin{ node = rod.first, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  return rod
end

-- Deflection of rods of `edges` edges, the first of which is held, and torque of one that is turned.
local deflection = weight * l ^ 3 * edges * (edges - 1) * (2 * edges - 1) / (6 * E * moment)
local torque = 2 * E * moment / (l * (edges - 1))

local cases = {
  bend = function(p)
    -- So much damping that rods of a thirtieth of this stiffness come to rest, too.
    local slowest = 3.516 * math.sqrt(E * moment / mass)
    local s = vb.scene{ step = 1 / p.rate, duration = 45 / slowest, damping = 0.4 * slowest }
    local rod = bar(s)
    s:load{ node = rod.last, force = { 0, 0, weight } }
    return s
  end,
  twist = function(p)
    local s = vb.scene{ step = 1 / p.rate, duration = 4, damping = 4 }
    local rod = bar(s)
    local turn = s:driver{ name = "turn", axis = { 1, 0, 0 }, angle = { { 0, 0, "cubic" }, { 1, 1 } } }
    s:pin{ node = rod.last, components = "xyz" }
    s:pin{ segment = rod.last_segment, driver = turn }
    return s
  end,
  recovery = function(p)
    local s = vb.scene{ step = 1 / p.rate, duration = 12, damping = 2 }
    s:rod{
      nodes = 31, radius = 0.01, density = density, material = material,
      curve = function(t)
        local a = 6 * math.pi * t
        return 0.06 * math.cos(a) - 0.06, 0.06 * math.sin(a), 0.5 * t
      end,
      position = function(t) return 0, 0, 1.24 * t end,
    }
    return s
  end,
}

local function build(p)
  local s = cases[p.case](p)
  s:record{ every = s.steps, frames = s.steps, fields = { "position" } }
  return s
end

local function runs(_, tier)
  local list = {}
  local counts = { 1, 3, 10, 30, 100 }
  if tier == "full" then counts[#counts + 1] = 300 end
  local function add(case, solver, n, rate, scenario, parameters)
    local run = {
      name = string.format("%s.%s.n%d%s", case, solver.name, n, rate == 60 and "" or "-h" .. rate), label = solver.name,
      scenario = scenario, parameters = parameters or { case = case, rate = rate }, iterations = n, threads = 1,
    }
    for key, value in pairs(solver) do
      if key ~= "name" and key ~= "most" then run[key] = value end
    end
    list[#list + 1] = run
  end
  for _, solver in ipairs(solvers) do
    for _, case in ipairs{ "bend", "twist", "recovery" } do
      for _, n in ipairs(counts) do
        if n <= (solver.most or 300) then add(case, solver, n, 60) end
      end
    end
    for _, rate in ipairs{ 30, 120, 240 } do add("bend", solver, 10, rate) end
    for _, n in ipairs(counts) do
      if n <= (solver.most or (tier == "full" and 100 or 30)) then
        add("hair", solver, n, 60, "umetani_hair", { strands = 10 })
      end
    end
    if solver.solver ~= "bergou" then
      -- As method pbd of that study its gates are findings.
      for _, n in ipairs(tier == "full" and { 3, 10, 30 } or { 10 }) do
        if n <= (solver.most or 30) then
          add("coil", solver, n, 60, "umetani_plectoneme", { method = "pbd", step = 1 / 200, held_scales = true })
        end
      end
    end
  end
  return list
end

local function gates()
  local list = {}
  local function add(case, name, tolerance, finding, reason)
    local twist = case == "twist"
    list[#list + 1] = {
      name = case .. " by " .. name, run = case .. "." .. name,
      quantity = twist and "reaction/torque" or "frames/position", driver = twist and 0 or nil,
      node = case == "bend" and edges or case == "recovery" and 30 or nil,
      apart_from = case == "recovery" and 0 or nil, component = twist and "x" or case == "bend" and "z" or nil,
      measure = "final", near = twist and -torque or case == "bend" and deflection or 0.5, tolerance = tolerance,
      finding = finding, reason = reason,
    }
  end
  local exact = "Newton's method to rounding; of second order in the angles of joints"
  for _, case in ipairs{ "bend", "twist", "recovery" } do
    add(case, "direct.n10", 0.01, false, exact)
    add(case, "bergou.n10", 0.01, false, exact)
    add(case, "xpbd.n100", 0.03, false, "a hundred iterations come to 0.98 of this stiffness, where R = 6 K h^2/(m l^3) is 51")
    for _, n in ipairs{ 10, 100 } do
      add(case, "pbd.n" .. n, 0.02, true, "its stiffness is that of iterations and step, not of the material")
    end
    add(case, "block-descent.n100", 0.02, false, "what is at rest is the minimizer, however few the iterations")
    add(case, "viper-xpbd.n100", 0.02, true, "its gap: sweeps cross stiff segments slowly, and do not take up what they left")
  end
  return list
end

return {
  title = "Rods by position-based solvers and others",
  parameters = { case = "bend", rate = 60 },
  ranges = { case = { "bend", "twist", "recovery" }, rate = { above = 0 } },
  build = build,
  runs = runs,
  gates = gates,
  gold = { steps = 10, frames = 10, runs = { "bend.xpbd.n10", "twist.bergou.n10", "recovery.direct.n3" } },
  figure = "rods_compared",
}
