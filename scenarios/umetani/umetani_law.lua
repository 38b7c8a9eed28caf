-- The stiffness of position-based rods (solver umetani, method pbd) depends on iterations n, step
-- h, edges l and masses m, not on a material. A cantilever, a bar in torsion, and a hanging bar,
-- against the law of over-relaxed Gauss-Seidel for long waves:
--   B = alpha/(2 - alpha) n m l^3/(3 h^2),  K3 = alpha/(2 - alpha) 0.8 n m Lg^2 l/h^2,
--   EA = alpha/(2 - alpha) n m l/h^2.
local radius, density, E = 0.02, 1000, 1e6
local mass = math.pi * radius ^ 2 * density -- of a bar of length 1
local angle = 0.1 -- by which the bar is turned, rad
-- On the cantilever's tip, N: deflections are small. The law's stiffness falls with the fourth power of the edges.
local function force(p) return 2e-4 * math.min(1, (40 / p.edges) ^ 4) end

-- The law's stiffness of a case, and what is to be seen with it: deflection, torque, elongation.
local function law(p)
  local l, m = 1 / p.edges, 0.5 * mass / p.edges -- half of the mass is the ghosts'
  local factor = p.alpha / (2 - p.alpha) * p.n * m * p.rate ^ 2
  if p.case == "bend" then
    local B, N = factor * l ^ 3 / 3, p.edges
    return B, force(p) * l ^ 3 * N * (N - 1) * (2 * N - 1) / (6 * B), 3.516 * math.sqrt(B / mass)
  elseif p.case == "twist" then
    local K3 = 0.8 * factor * l ^ 3 -- Lg is l
    return K3, K3 * angle / (l * (p.edges - 1)), math.pi * math.sqrt(K3 / (m * l))
  end
  local EA = factor * l
  return EA, mass * 9.81 / (2 * EA), math.pi / 2 * math.sqrt(EA / mass)
end

-- A gate in the midst of the turn, at step `k`: the frame of e_x is (h, 0, h, 0), turned about e_x by a (h cos a/2, h sin a/2, ..).
local function follows(s, p, segment, slowest, k)
  local u = k / p.rate * slowest / 3
  s:gate{
    name = "the held frame as it turns", quantity = "frames/frame", segment = segment, component = 2, measure = "value",
    at = k / p.rate, near = math.sqrt(0.5) * math.sin(angle / 2 * u ^ 2 * (3 - 2 * u)), tolerance = 1e-6, absolute = true,
    reason = "its driver's angle: held frames are visited last, and a projection leaves the cube of a turn of 0.01 rad",
  }
end

-- A gate: the energy of twist is at least the material's where each joint turns by as much.
local function twist_energy(s, p)
  s:gate{
    name = "energy of twist", quantity = "energy/twist", measure = "final",
    at_least = 0.5 * E / 1.49 * math.pi * radius ^ 4 / 2 * angle ^ 2 * p.edges / (p.edges - 1),
    reason = "what the material would store in an even twist, of all twists by this angle the least",
  }
end

local tolerances = {
  bend = { 0.03, "of second order in 1/N; alpha below 1 adds 2 % at the clamp" },
  twist = { 0.04, "of second order in 1/N: 2 % seen at 20 edges" },
  hang = { 0.08, "of first order in 1/N: 12 % seen at 10 edges, 5 % at 20, 2.5 % at 40" },
}

local function build(p)
  local _, right, slowest = law(p)
  local s = vb.scene{
    step = 1 / p.rate, duration = 14 / slowest, damping = 2 * slowest,
    gravity = { 0, 0, p.case == "hang" and -9.81e-3 or 0 },
  }
  if p.case == "hang" then right = right / 1000 end -- a small weight: 1e-3 of the length at most
  local down = p.case == "hang"
  local bar = s:rod{
    nodes = p.edges + 1, from = { 0, 0, 0 }, to = { down and 0 or 1, 0, down and -1 or 0 }, radius = radius,
    density = density, material = { E = E, nu = 0.49 },
  }
  s:pin{ node = bar.first, components = "xyz" }
  s:pin{ segment = bar.first_segment }
  local gate = { name = "over the law", measure = "final", near = right, reason = tolerances[p.case][2] }
  -- The scale of the law's tolerances: those of 20 edges.
  gate.tolerance = tolerances[p.case][1] * math.max(1, 20 / p.edges)
  if p.case == "bend" then
    s:load{ node = bar.last, force = { 0, 0, force(p) } }
    gate.quantity, gate.node, gate.component = "frames/position", bar.last, "z"
  elseif p.case == "twist" then
    local turn = s:driver{ name = "turn", axis = { 1, 0, 0 }, angle = { { 0, 0, "cubic" }, { 3 / slowest, angle } } }
    s:pin{ node = bar.last, components = "xyz" }
    s:pin{ segment = bar.last_segment, driver = turn }
    gate.quantity, gate.driver, gate.component = "reaction/torque", turn, "x"
  else
    gate.quantity, gate.node, gate.component, gate.origin = "frames/position", bar.last, "z", -1
    gate.near = -right
  end
  local between = p.case == "twist" and s.steps // 10 or s.steps -- the turn takes a fifth of the steps
  s:record{ every = s.steps, frames = between }
  s:solver{ solver = "umetani", iterations = p.n, bend_u = p.alpha, bend_v = p.alpha, twist = p.alpha, stretch = p.case == "hang" and p.alpha or 1 }
  s:gate(gate)
  if p.case == "twist" then
    follows(s, p, bar.last_segment, slowest, between)
    twist_energy(s, p)
  end
  return s
end

local function runs(_, tier)
  local list, seen = {}, {}
  local function add(case, n, rate, edges, alpha)
    local name = string.format("%s-n%d-h%d-e%d%s", case, n, rate, edges, alpha < 1 and "-half" or "")
    if seen[name] then return end
    seen[name] = true
    list[#list + 1] = {
      name = name, label = name, parameters = { case = case, n = n, rate = rate, edges = edges, alpha = alpha },
    }
  end
  for _, case in ipairs{ "bend", "twist", "hang" } do
    for _, n in ipairs(case == "hang" and { 1, 2 } or { 5, 10, 20 }) do add(case, n, 60, 20, 1) end
    local few = case == "hang" and 2 or 10
    for _, rate in ipairs{ 30, 120 } do add(case, few, rate, 20, 1) end
    for _, edges in ipairs(tier == "full" and { 10, 40, 80 } or { 10, 40 }) do add(case, few, 60, edges, 1) end
    add(case, few, 60, 20, 0.5)
  end
  return list
end

local function gates()
  local list = {}
  for _, case in ipairs{ "bend", "twist" } do
    local quantity = case == "bend" and "frames/position" or "reaction/torque"
    local sign = case == "bend" and 1 or -1 -- a deflection falls with the stiffness, a torque grows
    local function add(name, names, sizes, near, tolerance, reason)
      list[#list + 1] = {
        name = name .. ", " .. case, runs = names, sizes = sizes, combine = "order", limit = 0, quantity = quantity,
        node = case == "bend" and 20 or nil, driver = case == "twist" and 1 or nil,
        component = case == "bend" and "z" or "x", measure = "final", near = sign * near, tolerance = tolerance,
        absolute = true, reason = reason,
      }
    end
    add("order in iterations", { case .. "-n5-h60-e20", case .. "-n10-h60-e20", case .. "-n20-h60-e20" }, { 5, 10, 20 },
      1, 0.02, "linear in iterations as long as these do not converge")
    add("order in 1/h", { case .. "-n10-h30-e20", case .. "-n10-h60-e20", case .. "-n10-h120-e20" }, { 30, 60, 120 },
      2, 0.002, "h^-2: a rod in steps that are half as long is four times as stiff")
    list[#list + 1] = {
      name = "alpha 1/2, " .. case, runs = { case .. "-n10-h60-e20-half", case .. "-n10-h60-e20" }, combine = "ratio",
      quantity = quantity, node = case == "bend" and 20 or nil, driver = case == "twist" and 1 or nil,
      component = case == "bend" and "z" or "x", measure = "final", near = case == "bend" and 3 or 1 / 3,
      tolerance = 0.05, reason = "alpha/(2 - alpha): a third of the stiffness; held frames, whose alpha is 1, make 2 to 4 %",
    }
  end
  list[#list + 1] = {
    name = "the scene's material", run = "bend-n10-h60-e20", quantity = "frames/position", node = 20, component = "z",
    measure = "final", near = force{ edges = 20 } * 20 * 19 * 39 / (6 * 20 ^ 3) / (E * math.pi * radius ^ 4 / 4), tolerance = 0.1,
    finding = true, reason = "the paper has no material: this rod of E = 1 MPa is 2.7 times as soft as it should be, and any other with another step",
  }
  return list
end

return {
  title = "The stiffness of position-based rods",
  parameters = { case = "bend", n = 10, rate = 60, edges = 20, alpha = 1 },
  build = build,
  runs = runs,
  gates = gates,
  planted = { must = { "slow-time" } },
  gold = { steps = 20, runs = { "bend-n10-h60-e20", "twist-n10-h60-e20", "hang-n2-h60-e20" } },
  figure = "umetani_law",
}
