-- A rope thrown at another across it, in whole steps of 1/60 s in which it moves by up to 50 radii,
-- and a stack of rings in such steps. Bodies, contacts and friction are solved together to the
-- tolerance (contact_solve = newton). With passes over contacts, errors of convergence become
-- energy.
local RADIUS, LENGTH, SEGMENTS, DENSITY, E = 0.01, 0.5, 24, 1000, 1e6
local STEPS, STEP, AWAY, BESIDE = 30, 1 / 60, 0.1, 2.0 -- m, s
local SPEEDS, SLANTS = { 1, 2, 5, 10, 20, 30 }, { 0, 0.1 } -- m/s; m over the length of the rope

--- A straight rope between two places, with a velocity.
local function rope(s, name, from, to, velocity)
  local points = {}
  for k = 0, SEGMENTS do
    local t, x = k / SEGMENTS, {}
    for c = 1, 3 do x[c] = from[c] + t * (to[c] - from[c]) end
    points[k + 1] = x
  end
  return s:rod{ name = name, points = points, radius = RADIUS, density = DENSITY, material = { E = E, nu = 0.3 }, velocity = velocity }
end

local function build(p)
  local s = vb.scene{ step = STEP, steps = STEPS, gravity = { 0, 0, 0 } }
  rope(s, "struck", { -LENGTH / 2, 0, 0 }, { LENGTH / 2, 0, 0 }, { 0, 0, 0 })
  rope(s, "thrown", { 0.03, -LENGTH / 2, AWAY }, { 0.03 + p.slant, LENGTH / 2, AWAY }, { 0, 0, -p.speed })
  local other = rope(s, "other", { 0, -LENGTH / 2, BESIDE }, { 0, LENGTH / 2, BESIDE }, { p.speed, 0, 0 })
  s:contact{ friction = p.friction }
  s:record{ every = 1, frames = STEPS // 10, fields = { "position", "scale" }, residual = true }
  s:solver{ method = "direct", iterations = p.iterations }
  local line = DENSITY * math.pi * RADIUS ^ 2
  local thrown, straight = line * math.sqrt(LENGTH ^ 2 + p.slant ^ 2), line * LENGTH
  local passes = p.solve == "passes"
  s:gate{
    name = "no energy from nothing", quantity = "balance/energy_gain", measure = "maximum", at_most = 1e-6, finding = passes,
    reason = "a blow takes energy: implicit Euler with contacts that hold where a step begins gains none but by what the energy is not convex",
  }
  s:gate{
    name = "a blow takes", quantity = "energy/total", measure = "final", at_most = 0.5 * (straight + 0.9 * thrown) * p.speed ^ 2, finding = passes,
    reason = "two ropes of like mass that go on together keep half of the energy of the thrown one; one that passed would keep all",
  }
  s:gate{
    name = "energy of the common motion", quantity = "energy/kinetic", measure = "final",
    at_least = (0.5 * straight + 0.5 * thrown ^ 2 / (thrown + straight)) * p.speed ^ 2 * (1 - 1e-9),
    reason = "that of the center of mass of both, and of the rope that nothing meets",
  }
  s:gate{
    name = "momentum", quantity = "momentum", component = "z", measure = "final", near = -thrown * p.speed, tolerance = 1e-10,
    reason = "contacts keep it; a solve leaves the residual's part of the forces",
  }
  s:gate{
    name = "nothing is truncated", quantity = "contact_truncated", measure = "maximum", at_most = 0, finding = passes,
    reason = "contacts hold by themselves: nothing passes",
  }
  s:gate{
    name = "penetration", quantity = "penetration", measure = "maximum", at_most = 0.5 * RADIUS, finding = passes,
    reason = "contacts stay after eight Newton steps, and the ropes turn about them by what a step takes them, at 30 m/s",
  }
  if p.friction == 0 and not passes then
    s:gate{
      name = "residual", quantity = "residual", measure = "maximum", at_most = 1e-7,
      reason = "ten times the tolerance, as the parts of contacts are weighed otherwise. With friction some steps need more iterations",
    }
    s:gate{
      name = "distance from the minimizer", quantity = "newton_step", measure = "maximum", at_most = 0.01 * RADIUS,
      reason = "a hundredth of the radius: 1e-8 of a blow's force, which a rope of this softness gives way to by 1e-5 m",
    }
  end
  s:gate{
    name = "the rope that nothing meets", quantity = "frames/position", node = other.first, component = "x", measure = "final",
    near = p.speed * STEPS * STEP, tolerance = 1e-9, reason = "it flies on, but for rounding",
  }
  return s
end

return {
  title = "Contact that converges in whole steps",
  keywords = { "contact", "friction" },
  parameters = { speed = 20.0, slant = 0.0, friction = 0.0, iterations = 40, solve = "newton" },
  ranges = { speed = { least = 1e-3 }, slant = { least = 0 }, friction = { least = 0 }, iterations = { least = 1 }, solve = { "newton", "passes" } },
  build = build,
  runs = function()
    local list = {}
    local function add(name, solve, speed, slant, friction)
      list[#list + 1] = {
        name = name, label = name, contact_solve = solve,
        parameters = { speed = speed, slant = slant, friction = friction, solve = solve },
      }
    end
    for _, speed in ipairs(SPEEDS) do
      for k, slant in ipairs(SLANTS) do
        for _, friction in ipairs{ 0, 0.3 } do
          add(string.format("newton-%d-%s-%s", speed, k == 1 and "across" or "slant", friction == 0 and "smooth" or "rough"), "newton", speed,
            slant, friction)
        end
      end
    end
    add("passes-20", "passes", 20, 0, 0)
    list[#list + 1] = {
      name = "stack", label = "a stack of ten rings", scenario = "stacks", method = "direct", contact_solve = "newton",
      parameters = { duration = 2.0, iterations = 40, substeps = 1 },
    }
    list[#list + 1] = {
      name = "crossing", label = "a rope pressed onto another", scenario = "contact_crossing", method = "direct", contact_solve = "newton",
      parameters = { iterations = 40, substeps = 1 },
    }
    return list
  end,
  gates = function()
    return {
      {
        name = "pressing force in whole steps", run = "crossing", quantity = "reaction/force", driver = 1, component = "z", measure = "final",
        near = -0.3950626, tolerance = 1e-3,
        reason = "what 64 substeps of 100 iterations leave, 3e-5 from this; thirty passes in whole steps leave 2 %, ten leave 28 %",
      },
    }
  end,
  compare = {
    newton_step = { absolute = 1e-4, reason = "what a tolerance of 1e-8 leaves of a blow is rounding's: 1e-5 m; the gate is at 1e-4" },
  },
  figure = "contact_converges",
  planted = { must = { "no-contact", "slow-time", "noise" } },
  gold = { steps = 8, frames = 8, runs = { "newton-10-across-smooth", "newton-5-slant-smooth" } },
}
