-- A uniform rod contracts by each kind of activation, with a free end and with both ends held:
-- stretch, scale, energies, force and work against closed forms. It contracts by load steps, whose
-- states are all in equilibrium.
local forms = include("closed_forms")

local LENGTH, RADIUS, SEGMENTS, STEPS = 0.3, 0.02, 8, 4 -- m, m
local AREA = math.pi * RADIUS ^ 2

--- The stress-free stretch and scale by the amount of an activation: a length only, a length and the scale that
--- preserves the volume, or the length that a pair of forces represents (`at`, below 1).
local kinds = {
  strain = function(amount) return amount, amount ^ -0.5 end,
  fiber = function(amount) return amount, 1 end,
  force = function(amount, kz) return 1 - amount / (AREA * kz), 1 end,
}

--- The axial force over the area [Pa] and the scale at stretch `e`, for this stress-free state.
local function pull(p, e, along, across)
  local k, kv = forms.stiffness(p.E, p.nu)
  local s = forms.held_scale(2 * k, kv, e, across)
  return k * (e - along) + kv * s ^ 2 * (s ^ 2 * e - 1), s
end

--- The state in equilibrium at an amount: stretch, scale, axial force [N], and the stress-free state.
local function equilibrium(p, amount)
  local along, across = kinds[p.kind](amount, (forms.stiffness(p.E, p.nu)))
  local e = 1
  if p.ends == "free" then -- the stretch without a force, by bisection to the last bit
    local low, high = 0.1, 2
    for _ = 1, 200 do
      e = (low + high) / 2
      if pull(p, e, along, across) > 0 then high = e else low = e end
    end
  end
  local stress, s = pull(p, e, along, across)
  return { e = e, s = s, force = AREA * stress, along = along, across = across }
end

--- Energies [J] of a state with the stress-free state `at`. A pair of forces has its own potential, which is not an
--- elastic energy: the stress-free stretch is then 1.
local function energies(p, state, at)
  local k, kv = forms.stiffness(p.E, p.nu)
  local along, half = p.kind == "force" and 1 or at.along, AREA * LENGTH / 2
  return {
    stretch = half * k * (state.e - along) ^ 2, section = half * 2 * k * (state.s - at.across) ^ 2,
    volume = half * kv * (state.s ^ 2 * state.e - 1) ^ 2,
  }
end

--- The amount after `step` of the load steps.
local function amount_at(p, step)
  local from, to = 1, p.amount
  if p.kind == "force" then from, to = 0, p.force end
  return from + (to - from) * step / STEPS
end

--- Work [J] of all load steps: the change of energy with the rest shape, before anything moves; for forces, their work
--- over the shortening.
local function work_of(p)
  local sum, before = 0, equilibrium(p, amount_at(p, 0))
  for step = 1, STEPS do
    local after = equilibrium(p, amount_at(p, step))
    if p.kind == "force" then
      sum = sum + amount_at(p, step) * LENGTH * (before.e - after.e)
    end
    local new, old = energies(p, before, after), energies(p, before, before)
    if p.kind ~= "force" then sum = sum + new.stretch + new.section - old.stretch - old.section end
    before = after
  end
  return sum
end

local function add_gates(s, p, rod, wall)
  local exact = "exact for a uniform rod; what the solve leaves, 1e-12 of the forces"
  local function gate(name, quantity, near, keys)
    local g = { name = name, quantity = quantity, near = near, tolerance = 1e-9, reason = exact }
    for key, value in pairs(keys) do g[key] = value end
    s:gate(g)
  end
  for _, step in ipairs{ STEPS // 2, STEPS } do
    local state, at = equilibrium(p, amount_at(p, step)), step / STEPS
    local text = string.format(" at %g of the activation", at)
    gate("scale" .. text, "frames/scale", state.s, { node = rod.first, measure = "value", at = at })
    if p.ends == "free" then
      gate("length" .. text, "frames/position", LENGTH * state.e, { node = rod.last, component = "z", measure = "value", at = at })
    else
      gate("pull" .. text, "reaction/force", state.force, { driver = wall, component = "z", measure = "value", at = at })
    end
  end
  local state = equilibrium(p, p.kind == "force" and p.force or p.amount)
  for name, energy in pairs(energies(p, state, state)) do
    gate("energy of " .. name, "energy/" .. name, energy, { absolute = true, tolerance = 1e-9 * p.E * AREA * LENGTH })
  end
  gate("work", "work/muscle", work_of(p), { absolute = true, tolerance = 1e-9 * p.E * AREA * LENGTH })
end

local function build(p)
  local s = vb.scene{ step = 1 / STEPS, steps = STEPS }
  local rod = s:rod{
    name = "rod", nodes = SEGMENTS + 1, from = { 0, 0, 0 }, to = { 0, 0, LENGTH }, radius = RADIUS, density = 1000,
    material = { E = p.E, nu = p.nu, model = p.model },
  }
  local wall = s:driver{ name = "wall" }
  s:pin{ node = rod.first, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  if p.ends == "held" then s:pin{ node = rod.last, components = "xyz", driver = wall } end
  s:activation{
    segments = rod.segments, kind = p.kind, amount = { { 0, amount_at(p, 0) }, { 1, amount_at(p, STEPS) } }, name = "muscle",
  }
  s:record{ every = 1, frames = 1, residual = true }
  s:solver{ dynamics = "static", method = "direct", iterations = 60, tolerance = 1e-12 }
  add_gates(s, p, rod, wall)
  return s
end

--- In stretch, without shear, both material models are the same.
local function runs()
  local list = {}
  for _, model in ipairs{ "published", "solid" } do
    for _, ends in ipairs{ "free", "held" } do
      for _, kind in ipairs{ "strain", "fiber", "force" } do
        local name = ends .. "-" .. kind
        list[#list + 1] = {
          name = model == "solid" and "solid-" .. name or name, parameters = { kind = kind, ends = ends, model = model },
        }
      end
    end
  end
  return list
end

return {
  title = "A rod contracts by each kind of activation, free and held",
  keywords = { "quick" },
  parameters = { kind = "strain", ends = "free", amount = 0.75, force = 100.0, E = 5e5, nu = 0.45, model = "published" },
  ranges = {
    kind = { "strain", "fiber", "force" }, ends = { "free", "held" }, amount = { above = 0 }, force = { least = 0 },
    E = { above = 0 }, nu = { above = -1, most = 0.5 }, model = { "published", "solid" },
  },
  build = build,
  runs = runs,
  figure = "activation_kinds",
  gold = { runs = { "free-strain", "free-force", "held-fiber" } },
}
