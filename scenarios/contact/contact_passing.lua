-- Two linked rings are thrown apart in steps of 1/60 s, without substeps, at up to 50 radii of the
-- rope per step. They must stay linked, with the first ring held and with both free: no rod may
-- pass through another in any step.
local RADIUS, SIZE, SEGMENTS = 0.01, 0.1, 24 -- of the rope and of the rings, m
local DENSITY, E = 1000, 1e6
local STEP, STEPS, DAMPING = 1 / 60, 90, 0.5 -- s, 1/s
local SPEEDS = { 2, 5, 10, 20, 30 } -- m/s
local METHODS = { "direct", "xpbd", "block-descent", "jacobi-published" }

--- A ring about the center `x` on the x axis, in the plane of x and y or of x and z; returns its nodes.
local function ring(s, name, x, upright, velocity)
  local nodes = {}
  for k = 0, SEGMENTS - 1 do
    local angle = 2 * math.pi * k / SEGMENTS
    local aside = SIZE * math.sin(angle)
    nodes[k + 1] = s:node{
      position = { x + SIZE * math.cos(angle), upright and 0 or aside, upright and aside or 0 }, radius = RADIUS,
      velocity = { velocity, 0, 0 },
    }
  end
  for k = 1, SEGMENTS do
    s:segment{ nodes = { nodes[k], nodes[k % SEGMENTS + 1] }, material = { E = E, nu = 0.3 }, density = DENSITY }
  end
  s:pin{ nodes = nodes, components = "s" }
  s:name{ node = nodes[1], name = name }
  return nodes
end

local function build(p)
  local s = vb.scene{ step = STEP, steps = STEPS, damping = DAMPING }
  local first = ring(s, "first", 0, false, 0)
  local second = ring(s, "second", 0.9 * SIZE, true, p.speed)
  local far = first[SEGMENTS / 2 + 1]
  if p.held then s:pin{ nodes = { far }, components = "xyz" } end
  s:contact{}
  s:record{ every = 1, frames = 1, fields = { "position", "scale" } }
  s:solver{ iterations = p.iterations, substeps = 1 }
  s:gate{
    name = "linked", quantity = "frames/position", node = second[1], apart_from = far, measure = "maximum", from = 1,
    at_most = 6 * SIZE * (1 + p.speed / math.sqrt(E / DENSITY)),
    reason = "two rings pulled straight are 0.63 m long less a thickness, and a blow stretches them by about the speed over that of sound;"
      .. " apart they are farther than a meter after a second, at 30 m/s than 20 m",
  }
  return s
end

--- Name of a run by Newton's method in contact.
local function newton_name(speed, held) return string.format("newton-%sheld-speed%g", held and "" or "no-", speed) end

--- Mass of a ring of straight segments, kg.
local MASS = DENSITY * math.pi * RADIUS ^ 2 * 2 * SEGMENTS * SIZE * math.sin(math.pi / SEGMENTS)

--- Decay of momentum over a run: each step divides it by 1 + damping h.
local DECAY = (1 + DAMPING * STEP) ^ -STEPS

--- By Newton's method for bodies and contacts, impacts dissipate energy at every speed, and no motion is truncated.
local function newton_gates(list)
  for _, speed in ipairs(SPEEDS) do
    for _, held in ipairs{ false, true } do
      local function gate(g)
        g.run = newton_name(speed, held)
        list[#list + 1] = g
      end
      gate{
        name = "no energy from nothing", quantity = "balance/energy_gain", measure = "maximum", at_most = 1e-6,
        reason = "the contacts of a step hold where it begins, so its minimizer gains nothing; a solve that ends early leaves some of its tolerance",
      }
      gate{
        name = "nothing is truncated", quantity = "contact_truncated", measure = "maximum", at_most = 0,
        finding = speed > 20,
        reason = "contacts hold by themselves. At 30 m/s, fifty radii in a step, those of the last steps of the solve may be others",
      }
      if not held then
        gate{
          name = "momentum", quantity = "momentum", component = "x", measure = "final", near = MASS * speed * DECAY, tolerance = 1e-9,
          reason = "contacts keep it; a solve leaves the residual's part of the forces",
        }
      end
    end
  end
end

--- An impact dissipates energy and preserves momentum. Iterations alternating with passes over contacts converge to the
--- minimum of a step at 2 m/s by direct; at other speeds, and by other methods, the remaining error is a finding.
local function gates()
  local list = {}
  newton_gates(list)
  for _, speed in ipairs(SPEEDS) do
    for _, method in ipairs(METHODS) do
      local function gate(g)
        g.where.speed, g.where.method = speed, method
        list[#list + 1] = g
      end
      gate{
        name = "no energy from nothing", where = {}, quantity = "balance/energy_gain", measure = "maximum",
        at_most = 1e-6, finding = method ~= "direct" or speed > 2,
        reason = "a blow takes; but iterations that do not converge in a whole step leave what contacts bend as elastic energy",
      }
      gate{
        name = "momentum", where = { held = false }, quantity = "momentum", component = "x", measure = "final",
        near = MASS * speed * DECAY, tolerance = 1e-12, finding = method == "jacobi-published",
        reason = "damping alone takes from it, 1 / (1 + d h) in each step; contacts keep it but for rounding, 1e-16 in each of "
          .. "some 1e5 visits. Averaged contacts do not",
      }
      gate{
        name = "energy of the common motion", where = { held = false }, quantity = "energy/kinetic", measure = "final",
        at_least = 0.5 * (MASS * speed * DECAY) ^ 2 / (2 * MASS) * (1 - 1e-9), finding = method == "jacobi-published",
        reason = "the kinetic energy of both is at least that of their center of mass",
      }
    end
  end
  return list
end

return {
  title = "Linked rings that are thrown apart",
  keywords = { "contact" },
  parameters = { speed = 10.0, held = false, iterations = 30 },
  ranges = { speed = { least = 0 }, iterations = { least = 1 } },
  build = build,
  grid = function()
    return {
      speed = SPEEDS, held = { false, true }, method = METHODS,
    }
  end,
  runs = function()
    local list = {}
    for _, speed in ipairs(SPEEDS) do
      for _, held in ipairs{ false, true } do
        list[#list + 1] = {
          name = newton_name(speed, held), label = string.format("newton, %g m/s%s", speed, held and ", held" or ""), method = "direct",
          contact_solve = "newton", parameters = { speed = speed, held = held, iterations = 60 },
        }
      end
    end
    return list
  end,
  gates = gates,
  figure = "contact_passing",
  planted = { must = { "no-contact", "slow-time", "double-damping" } },
  gold = { steps = 12, frames = 12, runs = { "xpbd-no-held-speed10", "block-descent-held-speed30" } },
}
