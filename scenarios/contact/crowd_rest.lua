-- How fast a crowd of octopuses comes to rest, with the damping of the other studies and with a
-- tenth of it. For comparison, an octopus without contact: held at its head, its arms fall and
-- swing, and only damping and the integrator dissipate energy. Heaps are chaotic: an octopus on top
-- of others may topple as late as after ten seconds.
local crowd, octopus, fall = include("crowd"), include("octopus"), include("fall")

local METHODS = { "xpbd", "block-descent", "direct" }

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = 10, gravity = { 0, 0, -10 }, damping = p.damping }
  if p.n > 0 then
    local all = crowd(s, p.n, p.seed, 0)
    -- Feet begin 0.037 m above the ground, of which they fall 0.036 m in five steps.
    fall.gates(s, { gravity = 10, damping = p.damping, substeps = 4, steps = 5, mass = all.mass, tolerance = 1e-10 })
    fall.stands(s, all.foot, 0.077, 0.5)
    fall.apart(s)
    s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
    s:contact{ friction = 0.5, self = true }
  else
    local one = octopus(s)
    s:pin{ nodes = { one.root, one.head[1], one.head[2], one.head[3] }, components = "xyz" }
  end
  s:record{ every = 5, frames = 60 }
  s:solver{ iterations = 10, substeps = 4 }
  return s
end

local function runs(p, tier)
  local n, list = tier == "full" and 100 or 4, {}
  for _, damping in ipairs{ 1, 0.1 } do
    for _, method in ipairs(METHODS) do
      list[#list + 1] = {
        name = string.format("%s-damping%g", method, damping), label = string.format("%s, damping %g / s", method, damping),
        method = method, parameters = { n = n, damping = damping },
      }
    end
    list[#list + 1] = {
      name = string.format("held-damping%g", damping), label = string.format("held, without contact, damping %g / s", damping),
      method = "direct", parameters = { n = 0, damping = damping },
    }
  end
  return list
end

local function gates(p, tier)
  local list = {}
  local function gate(g)
    g.quantity = "energy/kinetic"
    list[#list + 1] = g
  end
  for _, damping in ipairs{ 1, 0.1 } do
    for _, method in ipairs(METHODS) do
      local run = string.format("%s-damping%g", method, damping)
      gate{ name = "falls from second 5 on", run = run, measure = "slope", from = 5, at_most = -2,
        reason = "with every doubling of the time to a fourth at least: much faster than by the tenth of damping alone, e^-0.5 in these seconds" }
      gate{ name = "a joule an octopus in second 10", run = run, measure = "mean", from = 9, at_most = tier == "full" and 100 or 4,
        finding = damping < 1 or tier == "full",
        reason = "an octopus of 3.1 t at 2.5 cm/s; with a tenth of the damping it is arms that swing: what is held and touches nothing "
          .. "keeps more, and with more iterations or shorter substeps a crowd keeps no less; of 100 one that lies on others may topple "
          .. "as late as this, and 3.1 t that fall by 10 cm are 31 J for each of the hundred" }
    end
    gate{ name = "arms that touch nothing", run = string.format("held-damping%g", damping), measure = "mean", from = 9, at_most = 1,
      finding = damping < 1,
      reason = "the same joule; damping leaves e^-10 or e^-1 of 430 J and Euler's method a fifth of that, by the square of the frequency times the substep" }
  end
  gate{ name = "contact takes energy from arms", runs = { "block-descent-damping0.1", "held-damping0.1" }, combine = "difference",
    measure = "slope", from = 3, to = 8, at_most = 0,
    reason = "contact and friction are passive: kinetic energy falls faster than where nothing touches" }
  return list
end

return {
  title = "A crowd of octopuses comes to rest",
  keywords = { "contact" },
  parameters = { n = 4, seed = 3, damping = 1.0 },
  ranges = { n = { least = 0 }, damping = { least = 0 } },
  build = build,
  runs = runs,
  gates = gates,
  figure = "resting_crowd",
  gold = { steps = 15, frames = 15, runs = { "xpbd-damping0.1", "held-damping0.1" } },
}
