-- Position-based rods by XPBD (solver umetani, method xpbd): they have the stiffness of the scene's
-- material if the iterations n of a substep h suffice. The criterion is R = 6 K h^2/(m l^3), the
-- stiffness K of a joint relative to the inertia of its points in a substep. If R is far above 2 n,
-- the rod has only 2 n/R of its stiffness, as with PBD. With warm_start its equilibrium is exact.
local radius, density, edges, h = 0.02, 1000, 20, 1 / 60
local mass, l = math.pi * radius ^ 2 * density, 1 / edges -- of a bar of length 1
local inner = 0.5 * mass / edges -- half of the mass is the ghosts'
local moment = math.pi * radius ^ 4 / 4
local deflection = 1e-4 -- with the whole stiffness, m: its square is the error of the small-angle form

local function stiffness(p) return p.R * inner * l ^ 3 / (6 * h ^ 2) end

local function build(p)
  local K = stiffness(p)
  local reached = K * math.min(1, 2 * p.n / p.R) -- what sets the slowest frequency
  local slowest = 3.516 * math.sqrt(reached / mass)
  local s = vb.scene{ step = h, duration = 20 / slowest, damping = 2 * slowest }
  local bar = s:rod{
    nodes = edges + 1, from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = radius, density = density,
    material = { E = K / moment, nu = 0.49 },
  }
  s:pin{ node = bar.first, components = "xyz" }
  s:pin{ segment = bar.first_segment }
  local force = deflection * 6 * K / (l ^ 3 * edges * (edges - 1) * (2 * edges - 1))
  s:load{ node = bar.last, force = { 0, 0, force } }
  s:record{ every = s.steps, frames = s.steps }
  s:solver{ solver = "umetani", method = "xpbd", iterations = p.n, warm_start = p.warm and "yes" or "no" }
  local gate = {
    name = "deflection", quantity = "frames/position", node = bar.last, component = "z", measure = "final",
    near = deflection, tolerance = 1e-3, reason = "F l^3 n (n - 1) (2 n - 1)/(6 K), of a discrete rod without shear",
  }
  if p.warm then
    gate.tolerance, gate.reason = 1e-5, "what is at rest is the minimizer; 20 time constants leave 4e-8, small angles 1e-8"
  elseif p.n < math.max(10, 5 * p.R) then
    gate.finding, gate.reason = true, "iterations do not reach the material: its stiffness is theirs"
  end
  s:gate(gate)
  if gate.finding then return s end
  s:gate{
    name = "energy of bending", quantity = "energy/bend", measure = "final", near = 0.5 * force * deflection,
    tolerance = 2 * gate.tolerance,
    reason = "F/2 times the deflection; its error is twice that of the deflection, whose square it goes with",
  }
  return s
end

local function runs()
  local list = {}
  local function add(R, n, warm)
    list[#list + 1] = {
      name = string.format("R%g-n%d%s", R, n, warm and "-warm" or ""), label = string.format("R = %g, n = %d", R, n),
      parameters = { R = R, n = n, warm = warm },
    }
  end
  for _, R in ipairs{ 0.5, 5, 50 } do
    for _, n in ipairs{ 1, 3, 10, 30, 80 } do
      if n <= 20 * R and n / R < 16 or n == 10 then add(R, n) end
    end
  end
  add(5, 20, true)
  return list
end

return {
  title = "Position-based rods with the stiffness of a material",
  parameters = { R = 5, n = 10, warm = false },
  build = build,
  runs = runs,
  planted = {
    must = { "bending", "term-missing", "noise", "double-damping" },
    exempt = { stale = "fields are recorded at rest alone, where they are those of one step before" },
  },
  gold = { steps = 20, runs = { "R5-n10", "R5-n20-warm" } },
  figure = "umetani_xpbd",
}
