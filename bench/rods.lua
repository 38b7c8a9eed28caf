-- The timed scene: rods curved at rest, clamped at one end, released under gravity.

-- What is timed: the solver's settings, each a name and its options. Sweeps get ten iterations a
-- step, direct gets two, or all as many as --iterations says; none ends early (tolerance 0). In their
-- quick size what is used most: double where every bit counts, float where speed does. With p.own, what
-- the solver chooses itself: for solvers that have not these options.
local function settings(p, tier)
  if p.own then return { { name = "own" } } end
  local list = {}
  for _, method in ipairs{ "direct", "block-descent", "xpbd", "jacobi-published" } do
    for _, precision in ipairs{ "double", "float" } do
      for _, arithmetic in ipairs{ "strict", "fast" } do
        if tier == "full" or (precision == "float") == (arithmetic == "fast") then
          local short = method == "block-descent" and "block" or method == "jacobi-published" and "jacobi" or method
          list[#list + 1] = {
            name = short .. "-" .. precision .. (arithmetic == "fast" and "-fast" or ""), method = method,
            precision = precision, arithmetic = arithmetic, tolerance = 0,
          }
        end
      end
    end
  end
  return list
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 60, gravity = { 0, 0, -9.81 } }
  if p.iterations > 0 then s:solver{ iterations = p.iterations } end
  -- An arc of length 1 that begins along x and bends sideways by p.bend radians.
  local r = 1 / p.bend
  local side = math.ceil(math.sqrt(p.bodies))
  for k = 0, p.bodies - 1 do
    local x, y = 2 * (k % side), 2 * (k // side)
    -- From 1 - p.spread to 1 + p.spread of a radius, which each rod has along its whole length.
    local off = p.bodies > 1 and 2 * k / (p.bodies - 1) - 1 or 0
    local rod = s:rod{
      nodes = p.nodes, radius = 0.02 * (1 + p.spread * off), density = 1000, material = { E = 1e6, nu = 0.49, model = p.model },
      curve = function(t) return x + r * math.sin(t * p.bend), y + r * (1 - math.cos(t * p.bend)), 0 end,
    }
    s:pin{ node = rod.first, components = "xyz" }
    s:pin{ segment = rod.first_segment }
  end
  s:record{ every = 10, frames = 60, fields = { "position" } }
  s:bench{ after = 30, accuracy = true }
  s:gate{
    name = "stretch", quantity = "stretch_error/rms", measure = "maximum", at_most = p.stretch,
    reason = "its own weight stretches such a rod by 1 %, and exact steps come near that. Ten sweeps do not: the "
      .. "paper's own code lets it hang to 6.5 times its length, and nothing may be worse",
  }
  return s
end

local function runs(p, tier)
  local list = {}
  local function add(setting, scene, label, parameters)
    local run = { name = setting.name .. "." .. scene, label = label, parameters = parameters }
    for key, value in pairs(setting) do
      if key ~= "name" then run[key] = value end
    end
    -- Of the scene, not of the run: what a run fixes no command line replaces.
    if setting.method then parameters.iterations = setting.method == "direct" and 2 or 10 end
    list[#list + 1] = run
  end
  local all = settings(p, tier)
  for _, setting in ipairs(all) do
    add(setting, "rods", setting.name, {
      bodies = tier == "full" and 1000 or p.bodies, stretch = setting.method == "direct" and 0.05 or p.stretch,
    })
  end
  -- Of a solid rod's stiffness; not by the published method, nor by solvers that may not know the model.
  for _, setting in ipairs(p.own and {} or all) do
    if setting.method ~= "jacobi-published" then
      add(setting, "solid", setting.name .. ", solid", {
        bodies = tier == "full" and 1000 or p.bodies, stretch = setting.method == "direct" and 0.05 or p.stretch, model = "solid",
      })
    end
  end
  -- Of radii from 1 to 3 cm. Ten sweeps of the other methods do not hold the thinnest.
  for _, setting in ipairs(p.own and {} or all) do
    if setting.method == "direct" or setting.method == "block-descent" then
      add(setting, "differ", setting.name .. ", radii differ", {
        bodies = tier == "full" and 1000 or p.bodies, stretch = setting.method == "direct" and 0.05 or p.stretch, spread = 0.5,
      })
    end
  end
  for k = 1, math.min(2, #all) do -- direct, strict and fast; or p.own
    add(all[k], "one", all[k].name .. ", one rod", { bodies = 1, stretch = 0.05 })
  end
  return list
end

return {
  title = "Rods of 33 nodes, clamped at one end, released under gravity",
  parameters = { bodies = 100, nodes = 33, bend = 1.0, stretch = 5.5, own = false, model = "published", iterations = 0, spread = 0 },
  build = build,
  runs = runs,
  gold = {
    runs = { "direct-double.rods", "block-float-fast.rods", "xpbd-double.rods", "jacobi-float-fast.rods" },
    parameters = { bodies = 3 },
  },
}
