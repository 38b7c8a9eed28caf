-- Convergence of contact: one step of a pile from the same state with more and more iterations, by
-- each method. Two piles: a stack of ten rings, in which forces must propagate to the lowest ring,
-- and four octopuses that fall onto each other.
local crowd, fall = include("crowd"), include("fall")

local RADIUS, SIDE, LAYERS = 0.05, 0.5, 10 -- of the rings, m
local FOOT = 0.077 -- the least radius of an octopus, m
local COUNTS = { 5, 10, 20, 40, 80, 160 }
local METHODS = { "direct", "xpbd", "block-descent", "jacobi-published" }

--- A square ring around the z axis, as those of the study stacks.
local function ring(s, layer)
  local z, nodes, turn = (2 * layer + 1) * RADIUS, {}, layer % 2 * math.pi / 4
  for k = 0, 7 do
    local far, angle = k % 2 == 0 and SIDE / math.sqrt(2) or SIDE / 2, turn + k * math.pi / 4
    nodes[k + 1] = s:node{ position = { far * math.cos(angle), far * math.sin(angle), z }, radius = RADIUS }
  end
  for k = 1, 8 do
    s:segment{ nodes = { nodes[k], nodes[k % 8 + 1] }, material = { E = 1e6, nu = 0.3 }, density = 1000 }
  end
end

local function build(p)
  -- The stack settles after a third of a second; octopuses hit each other and the ground after two.
  local after = p.pile == "stack" and 20 or 120
  local s = vb.scene{ step = 1 / 60, steps = after, gravity = { 0, 0, -10 }, damping = 1 }
  if p.pile == "stack" then
    for layer = 0, LAYERS - 1 do ring(s, layer) end
  else
    local all = crowd(s, 4, 1, 0)
    -- Feet begin 0.037 m above the ground, of which they fall 0.028 m at most in four steps.
    fall.gates(s, { gravity = 10, damping = 1, substeps = p.substeps, steps = 4, mass = all.mass, tolerance = 1e-10 })
  end
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5 }
  s:record{ every = p.pile == "stack" and after or 4, frames = 1, residual = true }
  s:solver{ iterations = 10, substeps = p.substeps, tolerance = 0 }
  s:convergence{ after = after, iterations = COUNTS }
  return s
end

local function runs()
  local list = {}
  local function add(name, label, method, parameters)
    list[#list + 1] = { name = name, label = label, method = method, parameters = parameters }
  end
  for _, pile in ipairs{ "stack", "heap" } do
    for _, method in ipairs(METHODS) do
      add(pile .. "-" .. method, method, method, { pile = pile })
    end
    for _, substeps in ipairs{ 1, 16 } do
      add(pile .. "-substeps" .. substeps, string.format("block-descent, %d substep%s", substeps, substeps > 1 and "s" or ""),
        "block-descent", { pile = pile, substeps = substeps })
    end
  end
  return list
end

--- Gates of one pile by one method. Those of the published solver, and where friction converges slowly, are findings.
local function pile_gates(list, pile, method)
  local stack = pile == "stack"
  local function gate(g)
    g.name, g.run = string.format("%s, %s: %s", pile, method, g.name), pile .. "-" .. method
    g.finding, g.turning = method == "jacobi-published" or g.turning, nil
    list[#list + 1] = g
  end
  -- In the heap xpbd has its own residual, which does not affect contacts.
  local error = stack and "residual" or "complementarity"
  gate{ name = error, quantity = "convergence/" .. error, measure = "slope", from = 10, to = 160, at_most = -1,
    turning = not stack and method == "block-descent",
    reason = "alternating projections converge linearly, faster than any power of the sweeps, once it is settled which contacts "
      .. "push and which of them hold; until then at least as one over the sweeps. Friction that turns may settle slowly: after a "
      .. "warm start two of eight states of the heap keep 0.01 and 0.02 mm by block-descent, and none without friction" }
  if method ~= "jacobi-published" and (stack or method ~= "xpbd") then
    gate{ name = "distance from the minimizer after 160 sweeps", quantity = "convergence/newton_step", measure = "value", at = 160,
      at_most = 1e-4, reason = "a tenth of a millimeter; what contacts do not carry falls by 0.17 mm in a substep" }
  end
  gate{ name = "penetration after 10 sweeps", quantity = "convergence/penetration", measure = "value", at = 10,
    at_most = 0.01 * (stack and RADIUS or FOOT), reason = "a hundredth of the least radius: what a picture does not show" }
  gate{ name = "energy from 20 sweeps on", quantity = "convergence/energy/total", measure = "drift", from = 20,
    at_most = stack and 8 or 13,
    reason = stack and "a hundredth of the weight's energy of 785 J" or "a thousandth of the kinetic energy of 13 kJ" }
end

local function gates()
  local list = {}
  for _, pile in ipairs{ "stack", "heap" } do
    for _, method in ipairs(METHODS) do pile_gates(list, pile, method) end
  end
  list[#list + 1] = {
    name = "stack: residual after 160 sweeps in 16 substeps", run = "stack-substeps16", quantity = "convergence/residual",
    measure = "value", at = 10, at_most = 0.02,
    reason = "a fiftieth; as many sweeps leave 0.12 in 4 substeps and 0.4 in one: what is to be found in a substep falls with its square",
  }
  return list
end

return {
  title = "Convergence of contact in a stack and in a heap",
  timed = true,
  keywords = { "contact" },
  parameters = { pile = "stack", substeps = 4 },
  ranges = { pile = { "stack", "heap" }, substeps = { least = 1 } },
  build = build,
  runs = runs,
  gates = gates,
  compare = {
    momentum = {
      absolute = 1e-4, reason = "157 kg that stand: rings lie flat on each other, and rounding tells where they touch; 7e-6 kg m/s "
        .. "were seen",
    },
  },
  figure = "contact_convergence",
  gold = { steps = 5, frames = 5, runs = { "stack-direct", "stack-block-descent" } },
}
