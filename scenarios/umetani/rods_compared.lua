-- Position-based rods compared with others: the same scenes by umetani (pbd, xpbd), by viper (xpbd,
-- block-descent, direct) and by bergou, with more and more iterations and shorter and shorter
-- steps. Where possible, the reference is a closed form of the discrete rod; the material has no
-- Poisson's ratio, so that all solvers represent the same stiffnesses.
--   bend: a cantilever with a weight on its tip;
--   twist: a rod turned by one radian;
--   recovery: a spring that was stretched to a line;
--   coil: a rod that is turned six times while its ends approach (bergou has no contact);
--   hair: ten strands;
--   contact: a cantilever whose weight presses it onto another that crosses below it;
--   crowd: 1000 cantilevers.
-- Equal work is equal sweeps, the product of iterations and substeps: n10-s10 is ten iterations in
-- each of ten substeps. Only the wall times of "crowd" are compared between threads (-t1, -t2); no
-- gate depends on any time.
local radius, density, E, edges = 0.02, 1000, 3e6, 15
local moment, mass = math.pi * radius ^ 4 / 4, math.pi * radius ^ 2 * density
local l = 1 / edges
local weight = 0.0225 -- N: 2 % of the length
local n_crowd = 1000 -- rods of the crowd
local material = { E = E, nu = 0 }

local solvers = {
  { name = "pbd", solver = "umetani", method = "pbd" },
  { name = "pbd-law", solver = "umetani", method = "pbd", alpha = "law" }, -- long waves have the material's stiffness
  { name = "xpbd", solver = "umetani", method = "xpbd" },
  { name = "viper-xpbd", solver = "viper", method = "xpbd", tolerance = 0 },
  { name = "block-descent", solver = "viper", method = "block-descent", tolerance = 0 },
  { name = "direct", solver = "viper", method = "direct", tolerance = 0, most = 10 },
  { name = "bergou", solver = "bergou", most = 10 },
}

--- Adds a rod whose first node and frame are held, along a line that is `segments` edges long.
local function clamped(s, segments, from, to)
  local rod = s:rod{
    nodes = segments + 1, from = from, to = to, radius = radius, density = density, material = material,
  }
  s:pin{ node = rod.first, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  return rod
end

local function bar(s) return clamped(s, edges, { 0, 0, 0 }, { 1, 0, 0 }) end

-- Deflection of rods of `edges` edges, the first of which is held, and torque of one that is turned.
local deflection = weight * l ^ 3 * edges * (edges - 1) * (2 * edges - 1) / (6 * E * moment)
local torque = 2 * E * moment / (l * (edges - 1))

local slowest = 3.516 * math.sqrt(E * moment / mass) -- of a cantilever, rad/s

local cases = {
  bend = function(p)
    -- So much damping that rods of a thirtieth of this stiffness come to rest, too.
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
  -- Both carry half of two weights where they cross, at node `edges`, and reach an edge farther, so that segments meet there
  -- and not ends. With critical damping, 12 time constants leave 1e-4 of the way.
  contact = function(p)
    local s = vb.scene{ step = 1 / p.rate, duration = 12 / slowest, damping = 2 * slowest }
    local upper = clamped(s, edges + 1, { 0, 0, 0 }, { 1 + l, 0, 0 })
    clamped(s, edges + 1, { 1, 1, -2 * radius }, { 1, -l, -2 * radius })
    s:load{ node = upper.last - 1, force = { 0, 0, -2 * weight } }
    s:contact{ margin = radius }
    return s
  end,
  crowd = function(p)
    local s = vb.scene{ step = 1 / p.rate, steps = 6, damping = 0.4 * slowest }
    for k = 0, n_crowd - 1 do
      local y, z = 0.1 * (k % 32), 0.1 * (k // 32)
      local rod = clamped(s, edges, { 0, y, z }, { 1, y, z })
      s:load{ name = "weights", node = rod.last, force = { 0, 0, weight } } -- one name: one series of work
    end
    return s
  end,
}

local function build(p)
  local s = cases[p.case](p)
  s:record{ every = s.steps, frames = s.steps, fields = { "position" } }
  return s
end

--- What is run of a case by a solver: pairs of iterations and substeps. Solvers that are exact in a few iterations (`most`)
--- have no use for sweeps. The law of alpha holds from as many iterations as it needs no alpha above 1.
local function divisions(case, solver, tier)
  local full, list = tier == "full", {}
  local function add(iterations, substeps) list[#list + 1] = { iterations, substeps } end
  if case == "crowd" then return { { solver.most and 1 or 10, 1 } } end
  if case == "contact" then
    if solver.most then return { { 2, 1 }, { 10, 1 } } end
    return full and { { 10, 1 }, { 100, 1 }, { 10, 10 } } or { { 10, 1 }, { 10, 10 } }
  end
  local law = solver.name == "pbd-law"
  for _, n in ipairs(law and { 30, 100 } or full and { 1, 3, 10, 30, 100, 300 } or { 1, 3, 10, 30, 100 }) do
    if n <= (solver.most or (case == "hair" and (full and 100 or 30)) or 300) then add(n, 1) end
  end
  if solver.most or law or case == "recovery" then return list end
  -- One or two iterations of viper's xpbd in a substep throw hair away to what is not finite.
  local few = case == "hair" and solver.name == "viper-xpbd"
  add(few and 10 or 1, few and 3 or 30)
  if full then add(3, 10) end
  if case ~= "hair" or full then add(10, 10) end
  if full and not few then add(1, 100) end
  return list
end

local function runs(_, tier)
  local list = {}
  local function add(case, solver, n, more)
    more = more or {}
    local substeps, rate = more.substeps or 1, more.rate or 60
    local run = {
      name = string.format("%s.%s.n%d%s%s%s", case, solver.name, n, substeps == 1 and "" or "-s" .. substeps,
        rate == 60 and "" or "-h" .. rate, more.threads and "-t" .. more.threads or ""),
      label = solver.name, scenario = more.scenario, parameters = more.parameters or { case = case, rate = rate },
      iterations = n, substeps = substeps > 1 and substeps or nil, threads = more.threads or 1,
    }
    for key, value in pairs(solver) do
      if key ~= "name" and key ~= "most" then run[key] = value end
    end
    list[#list + 1] = run
  end
  for _, solver in ipairs(solvers) do
    local law = solver.name == "pbd-law"
    for _, case in ipairs(law and { "bend", "twist" } or { "bend", "twist", "recovery" }) do
      for _, d in ipairs(divisions(case, solver, tier)) do add(case, solver, d[1], { substeps = d[2] }) end
    end
    if not law then
      for _, rate in ipairs{ 30, 120, 240 } do add("bend", solver, 10, { rate = rate }) end
      for _, d in ipairs(divisions("hair", solver, tier)) do
        add("hair", solver, d[1], { substeps = d[2], scenario = "umetani_hair", parameters = { strands = 10, head = false, frames = 360 } })
      end
    end
    if solver.solver ~= "bergou" and not law then
      -- As method pbd of that study its gates are findings.
      for _, n in ipairs(tier == "full" and { 3, 10, 30 } or { 10 }) do
        if n <= (solver.most or 30) then
          add("coil", solver, n,
            { scenario = "umetani_plectoneme", parameters = { method = "pbd", step = 1 / 200, held_scales = true } })
        end
      end
      for _, d in ipairs(divisions("contact", solver, tier)) do add("contact", solver, d[1], { substeps = d[2] }) end
    end
    for _, threads in ipairs(law and {} or { 1, 2 }) do
      add("crowd", solver, divisions("crowd", solver, tier)[1][1], { threads = threads })
    end
  end
  return list
end

--- What a gate of a case looks at, and its closed form.
local looks_at = {
  bend = { quantity = "frames/position", node = edges, component = "z", near = deflection },
  twist = { quantity = "reaction/torque", driver = 0, component = "x", near = -torque },
  recovery = { quantity = "frames/position", node = 30, apart_from = 0, near = 0.5 },
  contact = { quantity = "frames/position", node = edges, component = "z", near = -deflection },
}

local function gates()
  local list = {}
  local function add(case, name, tolerance, finding, reason)
    local gate = {
      name = case .. " by " .. name, run = case .. "." .. name, measure = "final", tolerance = tolerance, finding = finding,
      reason = reason,
    }
    for key, value in pairs(looks_at[case]) do gate[key] = value end
    list[#list + 1] = gate
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
  for _, case in ipairs{ "bend", "twist" } do
    add(case, "xpbd.n10-s10", 0.01, false,
      "R falls with the square of the substeps, to 0.5: ten iterations are 20 R, and the error is that of direct's gate")
    add(case, "viper-xpbd.n10-s10", 0.02, false,
      "in substeps a hundred times as soft beside their inertia the sweeps' gap closes; as the gate of as many sweeps in one")
    for _, n in ipairs{ 30, 100 } do
      add(case, "pbd-law.n" .. n, (case == "bend" and 0.03 or 0.04) * (20 / edges) ^ 2, false,
        "the law is that of long waves: 3 % of bending and 4 % of twist at 20 edges (study umetani_law), of second order")
    end
  end
  for _, name in ipairs{ "direct.n10", "bergou.n10", "xpbd.n10-s10", "block-descent.n100" } do
    list[#list + 1] = {
      name = "energy of bend by " .. name, run = "bend." .. name, quantity = "energy/total", measure = "final",
      near = 0.5 * weight * deflection, tolerance = 0.02,
      reason = "half of the work of a weight that stays; twice the error of the deflection, whose square it goes with",
    }
  end
  local pressed = "each carries one weight; of second order in the angles, and contact keeps the two apart to a thousandth of "
    .. "the radius, 2e-5 of 0.018"
  for _, name in ipairs{ "direct.n10", "block-descent.n10-s10", "xpbd.n10-s10", "viper-xpbd.n10-s10" } do
    add("contact", name, 0.02, false, pressed)
  end
  for _, solver in ipairs(solvers) do
    if solver.name ~= "pbd-law" then
      local name = string.format("crowd.%s.n%d", solver.name, solver.most and 1 or 10)
      list[#list + 1] = {
        name = "threads by " .. solver.name, runs = { name .. "-t1", name .. "-t2" }, combine = "difference",
        quantity = "frames/position", node = n_crowd * (edges + 1) - 1, component = "z", measure = "final", near = 0, tolerance = 0,
        absolute = true, reason = "results do not depend on the number of threads, to the last bit",
      }
    end
  end
  return list
end

return {
  title = "Rods by position-based solvers and others",
  timed = true,
  parameters = { case = "bend", rate = 60 },
  ranges = { case = { "bend", "twist", "recovery", "contact", "crowd" }, rate = { above = 0 } },
  build = build,
  runs = runs,
  gates = gates,
  planted = { must = { "bending", "term-missing", "no-contact", "slow-time" } },
  gold = { steps = 10, frames = 10, runs = { "bend.xpbd.n10", "twist.bergou.n10", "recovery.direct.n3" } },
  figure = "rods_compared",
}
