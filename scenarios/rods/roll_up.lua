-- A rod that a couple at its end rolls up to circles, by load steps, against the exact discrete
-- rod. The axis of the couple is fixed, or turns with the section. The plane of the rod contains no
-- coordinate axis, so only balance keeps the rod in it.
local forms = include("closed_forms")

--- The angle of each joint, of whose sine B / l times the couple's moment is made.
local function joint_angle(p) return math.asin(2 * math.pi * p.turns / p.n) end

--- The end of the rolled rod: along its first direction and across it, over the length. The clamp holds
--- the first of n segments; each next one is turned by one joint more.
local function rolled_end(p)
  local angle, along, across = joint_angle(p), 0, 0
  for j = 0, p.n - 1 do
    along, across = along + math.cos(angle * j) / p.n, across + math.sin(angle * j) / p.n
  end
  return along, across
end

local function build(p)
  local s = vb.scene{ step = 1 / p.steps, steps = p.steps }
  local c, d, L = math.cos(p.heading), math.sin(p.heading), p.length
  -- From the tip, node 0, to the clamp.
  local rod = s:rod{
    name = "rod", nodes = p.n + 1, from = { c * L, d * L, 0 }, to = { 0, 0, 0 }, radius = p.radius,
    density = 1000, material = { E = p.E, nu = p.nu },
  }
  s:pin{ node = rod.last, components = "xyzs" }
  s:pin{ segment = rod.last_segment }
  local free = {}
  for i, node in ipairs(rod.nodes) do free[i] = node ~= rod.last and node or nil end
  s:pin{ nodes = free, components = "s" }
  local k, kv = forms.stiffness(p.E, p.nu)
  local moment = 2 * math.pi * p.turns / L * (k + kv) * math.pi * p.radius ^ 4 / 4
  s:load{
    segment = rod.first_segment, torque = { d * moment, -c * moment, 0 }, amplitude = { { 0, 0 }, { 1, 1 } },
    name = "couple", turns_with = p.follows and rod.first_segment or nil,
  }
  s:record{ every = 1, frames = 2, residual = true }
  s:solver{ dynamics = "static", iterations = 20, tolerance = p.tolerance }
  local along, across = rolled_end(p)
  for i, component in ipairs{ "x", "y", "z" } do
    s:gate{
      name = "end, " .. component, quantity = "frames/position", node = rod.first, component = component,
      measure = "final", near = ({ c * along * L, d * along * L, across * L })[i], tolerance = 1e-8 * L, absolute = true,
      reason = "exact for the discrete rod; what is left of the forces is 1e-12 of the couple, or 1e-12 over a lever of "
        .. "r/2 as a force on a node, which bends a rod of 100 r by 2e-10 of its angle",
    }
  end
  -- The half of a joint's angle has the sine W l / 2 of its measure W.
  local bent = k * math.pi * p.radius ^ 4 / 4 * (p.n - 1) * 2 * p.n / L * math.sin(joint_angle(p) / 2) ^ 2
  s:gate{
    name = "energy of bending", quantity = "energy/bend", measure = "final", near = bent, tolerance = 1e-8,
    reason = "exact for the discrete rod; angles are off by 2e-10 of themselves, the energy by twice that",
  }
  s:gate{
    name = "in equilibrium", quantity = "residual", measure = "maximum", at_most = p.tolerance,
    reason = "each load step ends in an equilibrium under its own load, to the tolerance",
  }
  return s
end

local resolutions = include("resolutions"){ quick = { 16, 32, 64 }, full = { 16, 32, 64, 128, 256 } }

local function runs(_, tier)
  local list = resolutions.runs(tier)
  for _, turns in ipairs{ 1, 2 } do
    for _, follows in ipairs{ false, true } do
      list[#list + 1] = {
        name = (turns == 1 and "one" or "two") .. (follows and "-follows" or ""),
        label = (turns == 1 and "one turn" or "two turns") .. (follows and ", the couple turns with the end" or ""),
        parameters = { turns = turns, follows = follows },
      }
    end
  end
  return list
end

local function gates(p, tier)
  return {
    {
      name = "order toward the circle", runs = resolutions.names(tier), sizes = resolutions.sizes(tier),
      combine = "order", limit = 0, quantity = "frames/position", node = 0, component = "x", measure = "final",
      near = 2, tolerance = 0.1, absolute = true,
      reason = "a circle ends where it began; a joint turns by arcsin(2 pi / n), second order, with a fourth order part",
    },
  }
end

return {
  title = "A rod that a couple rolls up",
  keywords = { "quick" },
  parameters = {
    n = 32, turns = 1, follows = false, steps = 10, length = 1.0, radius = 0.01, E = 1e6, nu = 0.3, heading = 0.7,
    tolerance = 1e-12,
  },
  ranges = { n = { least = 14 }, turns = { above = 0, most = 2 }, steps = { least = 1 }, length = { above = 0 }, radius = { above = 0 } },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "one", "two-follows" } },
  figure = "roll_up",
  planted = { must = { "term-missing", "bending", "noise" } },
}
