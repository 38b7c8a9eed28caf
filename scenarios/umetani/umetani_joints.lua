-- The three components of a joint (solver umetani, option joint), enforced together, as the paper
-- proposes for speed (block), one after the other (scalar), or only by their norm (squared). A
-- quarter of a circle is held at one end and loaded at the other out of its plane, so that it bends
-- and twists. With pbd its stiffness depends on iterations; with xpbd the deflection converges to
-- that of the material.
local edges, radius, density = 20, 0.02, 1000
local turn = math.pi / 2
local bend = 2 / math.pi -- radius of the circle, m: the rod is 1 m long

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = 12, damping = 2 }
  local arc = s:rod{
    nodes = edges + 1, radius = radius, density = density, material = { E = p.E, nu = 0 },
    curve = function(t) return bend * math.sin(turn * t), bend * (1 - math.cos(turn * t)), 0 end,
  }
  s:pin{ nodes = { arc.first, arc.first + 1 }, components = "xyz" }
  s:pin{ segment = arc.first_segment }
  s:load{ node = arc.last, force = { 0, 0, p.force } }
  s:record{ every = 6, frames = 720, fields = { "position" } }
  s:solver{ solver = "umetani" }
  return s
end

local counts = { 1, 2, 5, 10, 20, 50, 100 }

local function runs()
  local list = {}
  for _, method in ipairs{ "pbd", "xpbd" } do
    for _, joint in ipairs{ "block", "scalar", "squared" } do
      for _, n in ipairs(counts) do
        list[#list + 1] = {
          name = string.format("%s-%s-%d", method, joint, n), label = joint .. ", " .. method, method = method,
          joint = joint, iterations = n,
        }
      end
    end
  end
  list[#list + 1] = {
    name = "material", label = "viper", solver = "viper", method = "direct", iterations = 20, tolerance = 1e-8,
  }
  return list
end

local function ratio(name, first, second, tolerance, reason)
  return {
    name = name, runs = { first, second }, combine = "ratio", quantity = "frames/position", node = edges, component = "z",
    measure = "final", near = 1, tolerance = tolerance, reason = reason,
  }
end

-- Gates of the material's run. In the first tenth of a second, when bending has come a tenth of the way to the clamp, nothing
-- takes momentum from the load but damping.
local function motion(list, p)
  local h, damping, momentum = 1 / 60, 2, 0
  for _ = 1, 6 do momentum = (momentum + h * p.force) / (1 + damping * h) end
  list[#list + 1] = {
    name = "momentum of the load", run = "material", quantity = "momentum", component = "z", measure = "value", at = 6 * h,
    near = momentum, tolerance = 0.01,
    reason = "implicit Euler's own; what bends by then, sqrt(t) (B/mass)^(1/4) = 0.1 m, is ten times as far from the clamp",
  }
  list[#list + 1] = {
    name = "balance of energies", run = "material", quantity = "balance/unaccounted", measure = "final", near = 0,
    tolerance = 0.03, absolute = true,
    reason = "implicit Euler takes h/2 times the rate of damping, 1.7 %; trapezoids of damping between rows of 0.1 s add to it",
  }
end

local function gates(p)
  local list = {
    ratio("the material, beside viper", "xpbd-block-100", "material", 0.03,
      "XPBD ends beside the minimizer: 2.5 % in one substep, 1.2 % in four, 0.9 % in sixteen"),
  }
  for _, joint in ipairs{ "scalar", "squared" } do
    list[#list + 1] = ratio(joint .. " beside block, converged", "xpbd-" .. joint .. "-100", "xpbd-block-100", 3e-3,
      "the same energy; how far steps go astray from its minimum differs")
    list[#list + 1] = ratio(joint .. " beside block, 10 iterations", "pbd-" .. joint .. "-10", "pbd-block-10", 0.1,
      "components of a joint hardly hinder each other: their part of A is diagonal where the joint is straight")
  end
  motion(list, p)
  return list
end

return {
  title = "Joints of position-based rods: block, scalar, squared",
  timed = true,
  parameters = { E = 1e5, force = 1e-3 },
  ranges = { E = { above = 0 }, force = { above = 0 } },
  build = build,
  runs = runs,
  gates = gates,
  planted = { must = { "slow-time", "term-missing" } },
  gold = { steps = 20, frames = 20, runs = { "pbd-scalar-10", "pbd-squared-10", "xpbd-scalar-10" } },
  figure = "umetani_joints",
}
