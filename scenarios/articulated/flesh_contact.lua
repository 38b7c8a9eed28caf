-- Soft blocks, one with a bone, fall into a trough and onto each other: implicit contact of flesh
-- with flesh, and with a cylinder from inside, with friction, at the paper's step. Without the
-- scene's contact they would pass through each other.
local fall = include("fall")

local SIDE, TROUGH, STEP = 0.3, 0.7, 1 / 30 -- m, m, s
local PLACES = { { -0.1, 0.1 }, { 0.12, 0.42 }, { -0.06, 0.74 }, { 0.02, 1.06 } } -- of lower corners, less half of the side: x, height

local ROUNDING = "ten times what the codes of OpenBLAS for three processors left of six steps: rounding decides what slides"

local function build(p)
  local s = vb.scene{ step = STEP, duration = p.duration, gravity = { 0, 0, -9.81 }, damping = 1 }
  local n, h = p.n, SIDE / 2
  for i, at in ipairs(PLACES) do
    local mesh = vb.box{ from = { at[1] - h, -h, at[2] }, to = { at[1] + h, h, at[2] + SIDE }, cells = { n, n, n } }
    local body = s:mesh{ mesh = mesh, material = { E = p.E, nu = 0.3 }, density = 1000, name = "block" .. i }
    if i == 2 then
      local inner = {}
      for k, x in ipairs(mesh.vertices) do
        local inside = math.abs(x[1] - at[1]) < h / 2 and math.abs(x[2]) < h / 2 and math.abs(x[3] - at[2] - h) < h / 2
        if inside then inner[#inner + 1] = body.first + k - 1 end
      end
      s:bone{ name = "bone", nodes = inner }
    end
  end
  s:collider{ cylinder = { { 0, 0, TROUGH }, { 0, 1, TROUGH } }, radius = TROUGH, inside = true, friction = p.friction, name = "trough" }
  s:contact{ margin = 0, friction = p.friction }
  s:record{ every = 1, frames = 1, fields = { "position", "bone_position", "bone_frame" } }
  s:solver{ solver = "articulated", iterations = 20 }
  s:gate{
    name = "none enters another, or the trough", quantity = "penetration", measure = "maximum", at_most = 0.1 * SIDE / n,
    reason = "a tenth of a cell, of which the solver warns, too: contacts hold at the end of each step, but for what nodes slip past "
      .. "the rims of sides within one",
  }
  s:gate{
    name = "no depth at rest", quantity = "penetration", measure = "maximum", from = p.duration - 0.5, at_most = 0.01 * SIDE,
    reason = "a hundredth of a block",
  }
  -- The lowest begins 0.06 m above the trough; they fall 0.033 m in two steps.
  fall.gates(s, { gravity = 9.81, damping = 1, substeps = 1, steps = 2, mass = #PLACES * 1000 * SIDE ^ 3, tolerance = 1e-11 })
  local weight = #PLACES * 1000 * SIDE ^ 3 * 9.81
  s:gate{
    name = "energy is not made", quantity = "energy/total", measure = "maximum", at_most = weight * (PLACES[1][2] + PLACES[4][2] + SIDE) / 2 * (1 + 1e-9),
    reason = "no more than the weight at the beginning had; backward Euler loses it, and friction",
  }
  s:gate{
    name = "at rest", quantity = "energy/kinetic", measure = "final", at_most = 1e-2 * weight * SIDE,
    reason = "a hundredth of the weight times a side: what is left of swinging",
  }
  return s
end

return {
  title = "Soft blocks fall onto each other in a trough",
  parameters = { E = 4e4, n = 3, friction = 0.3, duration = 2.0 },
  ranges = { E = { above = 0 }, n = { least = 2 }, duration = { least = 1 }, friction = { least = 0 } },
  build = build,
  planted = { must = { "slow-time", "double-damping" } },
  compare = {
    default = { relative = 1e-3, reason = ROUNDING },
    energy = { absolute = 0.1, reason = ROUNDING },
    ["energy/elastic"] = { absolute = 0.05, reason = ROUNDING },
    momentum = { relative = 1e-3, reason = ROUNDING },
    angular_momentum = { relative = 5e-3, reason = ROUNDING },
    penetration = { absolute = 5e-4, reason = ROUNDING },
  },
  gold = { steps = 6, frames = 3 },
  figure = "flesh_contact",
}
