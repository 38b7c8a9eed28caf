-- Distance of sweeps from the minimizer of a step, over Poisson's ratio, for both material models:
-- the falling rod of work_precision, 36 steps of 1/60 s with 10, 100 and 1000 sweeps, compared with
-- steps solved to rounding. Few sweeps of block descent over rods of the model solid, this one and a
-- short one, give them no energy.
local STEP, GRAVITY = 1 / 60, 9.81 -- s, m/s^2
local models, ratios, methods, sweeps = { "published", "solid" }, { 0.3, 0.49 }, { "xpbd", "block-descent" }, { 10, 100, 1000 }
local nodes, length = 33, 1.0
local few = { 5, 10, 20, 50, 100 } -- sweeps that converge nowhere
local short = { nodes = 9, length = 0.4 } -- that cantilever

local function build(p)
  local s = vb.scene{ step = STEP, steps = 36, gravity = { 0, 0, -GRAVITY } }
  local rod = s:rod{
    name = "rod", nodes = p.nodes, from = { 0, 0, 0 }, to = { p.length, 0, 0 }, radius = 0.02, density = 1000,
    material = { E = 1e6, nu = p.nu, model = p.model },
  }
  s:pin{ node = rod.first, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  s:record{ every = 1, frames = 1, fields = { "position" }, residual = true }
  return s
end

local function name_of(model, nu, method, n) return string.format("%s.nu%g.%s.%d", model, nu, method, n) end

--- The run of few sweeps over a rod, and whether it is none of the others.
local function few_of(rod, nu, n)
  if rod == "rod" and (n == 10 or n == 100) then return name_of("solid", nu, "block-descent", n), false end
  return string.format("few.%s.nu%g.%d", rod, nu, n), true
end

local function add_few(list)
  for _, rod in ipairs{ "rod", "short" } do
    for _, nu in ipairs(ratios) do
      for _, n in ipairs(few) do
        local name, own = few_of(rod, nu, n)
        if own then
          list[#list + 1] = {
            name = name, label = string.format("%s, ν = %g, %d sweeps", rod, nu, n), method = "block-descent", iterations = n, tolerance = 0,
            parameters = {
              model = "solid", nu = nu, nodes = rod == "short" and short.nodes or nodes, length = rod == "short" and short.length or length,
            },
          }
        end
      end
    end
  end
end

local function runs()
  local list = {}
  for _, model in ipairs(models) do
    for _, nu in ipairs(ratios) do
      local function add(method, n)
        list[#list + 1] = {
          name = name_of(model, nu, method, n), label = string.format("%s, ν = %g, %s, %d", model, nu, method, n),
          method = method, iterations = n, tolerance = 0, parameters = { model = model, nu = nu },
        }
      end
      add("direct", 60)
      for _, method in ipairs(methods) do
        for _, n in ipairs(sweeps) do add(method, n) end
      end
    end
  end
  add_few(list)
  return list
end

local function gates()
  local list = {}
  for _, rod in ipairs{ "rod", "short" } do
    for _, nu in ipairs(ratios) do
      for _, n in ipairs(few) do
        list[#list + 1] = {
          name = "few sweeps give no energy", run = (few_of(rod, nu, n)), quantity = "balance/energy_gain", measure = "maximum",
          at_most = 1e-3,
          reason = "an implicit Euler step that ends at the least Phi on the ray from its old state loses energy where the energy of "
            .. "the rod is convex along that; it gains 8 to 2000 times its potential where sweeps begin at the prediction",
        }
      end
    end
  end
  for _, model in ipairs(models) do
    for _, nu in ipairs(ratios) do
      local reference = name_of(model, nu, "direct", 60)
      -- Implicit Euler's first step, before the clamp is felt.
      list[#list + 1] = {
        name = "the tip falls freely at first", run = reference, quantity = "frames/position", node = nodes - 1, component = "z",
        measure = "value", at = STEP, near = -GRAVITY * STEP ^ 2, tolerance = 0.05,
        reason = "what it feels of the clamp falls as exp(-x/(a sqrt(2))), a^4 = h^2 B/(rho A), at most (0.15 m)^4: 1 % a meter away",
      }
      local free = 0.5 * 1000 * math.pi * 0.02 ^ 2 * length * (GRAVITY * STEP) ^ 2
      list[#list + 1] = {
        name = "kinetic energy of the fall", run = reference, quantity = "energy/kinetic", measure = "value", at = STEP,
        near = 0.85 * free, tolerance = 0.15, reason = "all but what the clamp holds, some 0.15 m of 1 m, falls freely",
      }
      for _, method in ipairs(methods) do
        for _, n in ipairs(sweeps) do
          list[#list + 1] = {
            name = "tip", runs = { name_of(model, nu, method, n), reference }, combine = "difference", quantity = "frames/position",
            node = nodes - 1, component = "z", measure = "final", near = 0, tolerance = 0.01 * length, absolute = true, finding = true,
            reason = "1 % of the length; sweeps cross a rod slowly in steps that are long for its stiffness",
          }
        end
      end
    end
  end
  return list
end

return {
  title = "Sweeps over Poisson's ratio, for both material models",
  parameters = { nu = 0.49, model = "published", nodes = nodes, length = length },
  ranges = { nu = { least = 0, below = 0.5 }, model = { "published", "solid" } },
  build = build,
  runs = runs,
  gates = gates,
  figure = "sweeps_over_nu",
  gold = { runs = { name_of("solid", 0.49, "xpbd", 10), name_of("published", 0.3, "block-descent", 10) } },
}
