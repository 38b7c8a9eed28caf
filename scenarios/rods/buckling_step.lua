-- A bar is compressed step by step: convergence of `direct` in the step in which it buckles, and in
-- later ones. Beyond Euler's load a straight bar is at a saddle point of Phi, and the negative
-- stiffness of compression makes it bend. Gauss-Newton omits this stiffness, and converges slowly
-- for compressed bars.

local forms = include("closed_forms")

local cases = {
  { name = "buckles", label = "still: it buckles", step = 10, after = 4 },
  { name = "bent", label = "still: it is bent further", step = 10, after = 12 },
  { name = "snaps", label = "moving: it snaps aside", step = 1 / 60, after = 17 },
  { name = "swings", label = "moving: it swings, bent", step = 1 / 60, after = 19 },
}

local function build(p)
  -- "still": steps much longer than the slowest motion, with an equilibrium after each.
  local s = vb.scene{ step = p.step, steps = p.after + 1 }
  local duration = (p.after + 1) * p.step
  local push = s:driver{
    name = "push", z = { { 0, 0 }, { duration, -(p.after + 1) * p.press * p.length } },
  }
  local bar = s:rod{
    name = "bar", nodes = p.nodes, from = { 0, 0, 0 }, to = { 0, 0, p.length }, radius = p.radius,
    density = 1000, material = { E = p.E, nu = p.nu },
  }
  s:pin{ node = bar.first, components = "xyz" }
  s:pin{ segment = bar.first_segment }
  s:pin{ node = bar.last, components = "xyz", driver = push }
  -- What says to which side it goes: a thousandth of its weight.
  s:load{ node = (p.nodes - 1) // 2, force = { p.side, 0, 0 }, name = "side" }
  s:record{ every = 1, frames = p.after + 1, residual = true }
  s:solver{ method = "direct", iterations = 30, tolerance = 0 }
  s:convergence{ after = p.after, iterations = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20 } }
  return s
end

local function runs()
  local list = {}
  for _, case in ipairs(cases) do
    list[#list + 1] = {
      name = case.name, label = case.label, parameters = { step = case.step, after = case.after },
    }
  end
  return list
end

local function gates(p)
  local list = {}
  for _, case in ipairs(cases) do
    list[#list + 1] = {
      name = "direct converges within 10 iterations, " .. case.label,
      run = case.name, quantity = "convergence/residual", measure = "value", at = 10, at_most = 1e-8,
      reason = "Newton's method with all second derivatives; without them the residual of a pressed bar falls to a "
        .. "half in each iteration, and is 3e-6 to 2e-4 in the moving bar",
    }
  end
  for _, case in ipairs(cases) do
    list[#list + 1] = {
      name = "the pushed end, " .. case.label, run = case.name, quantity = "frames/position", node = p.nodes - 1, component = "z",
      measure = "final", near = p.length - (case.after + 1) * p.press * p.length, tolerance = 1e-12, reason = "held by its driver to rounding",
    }
  end
  -- Elastic energies of a bar in equilibrium: no more than straight, no less than at Euler's load from where it is reached.
  local k, kv = forms.stiffness(p.E, p.nu)
  local along = forms.matched_kz{ kx = k, ky = k, kz = k, kv = kv } * math.pi * p.radius ^ 2 / p.length
  local euler = 4.4934 ^ 2 * (k + kv) * math.pi * p.radius ^ 4 / 4 / p.length ^ 2 -- clamped at one end, held at the other; tan x = x
  for _, case in ipairs{ cases[1], cases[2] } do
    local pressed = (case.after + 1) * p.press * p.length
    local function bound(name, key, value, reason)
      list[#list + 1] = {
        name = name .. ", " .. case.label, run = case.name, quantity = "energy/total", measure = "final", [key] = value, reason = reason,
      }
    end
    bound("energy, no more than straight", "at_most", 1.1 * 0.5 * along * pressed ^ 2, "it buckles for that; a tenth for strains that are not small")
    bound("energy, no less than at Euler's load", "at_least", 0.9 * (euler * pressed - euler ^ 2 / (2 * along)),
      "the load of a buckled bar rises as it is bent further; a tenth for strains that are not small")
  end
  -- From 1e-2 on the error is squared, to 1e-4 and to 1e-8; a linear rate of a half would take 20 iterations for it.
  for _, gate in ipairs{ { "snaps", 3, 1e-3 }, { "snaps", 4, 1e-7 }, { "swings", 3, 1e-3 }, { "swings", 4, 1e-7 } } do
    list[#list + 1] = {
      name = string.format("quadratic at the end, %s, %d iterations", gate[1], gate[2]),
      run = gate[1], quantity = "convergence/residual", measure = "value", at = gate[2], at_most = gate[3],
      reason = "the residual is about squared in each of the last iterations: 1e-2, 1e-4, 1e-8, with a factor of ten",
    }
  end
  return list
end

return {
  title = "Convergence of direct in the steps of a bar that buckles",
  keywords = { "quick" },
  parameters = {
    nodes = 33, length = 1.0, radius = 0.02, E = 1e6, nu = 0.49, press = 0.01, side = 0.01, step = 10.0, after = 4,
  },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "bent", "swings" } },
  figure = "buckling_step",
}
