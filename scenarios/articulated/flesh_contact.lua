-- Soft blocks fall into a trough and onto each other, one of them with a bone: flesh against flesh by consistent penetration
-- depths, the trough a cylinder from inside. Without the scene's contact they would pass through each other.
local fall = include("fall")

local SIDE, TROUGH, STEP = 0.3, 0.7, 1 / 600 -- m, m, s
local PLACES = { { -0.1, 0.1 }, { 0.12, 0.42 }, { -0.06, 0.74 }, { 0.02, 1.06 } } -- of lower corners, less half of the side: x, height

local function build(p)
  local s = vb.scene{ step = STEP, duration = p.duration, gravity = { 0, 0, -9.81 }, damping = 4 }
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
  s:collider{ cylinder = { { 0, 0, TROUGH }, { 0, 1, TROUGH } }, radius = TROUGH, inside = true, name = "trough" }
  s:contact{ margin = 0 }
  s:record{ every = 5, frames = 50, fields = { "position", "bone_position", "bone_frame" } }
  s:solver{ solver = "articulated", iterations = 10 }
  s:gate{
    name = "none passes through another", quantity = "penetration", measure = "maximum", at_most = SIDE / 2,
    reason = "deeper than the middle, a node would be pushed out on the other side",
  }
  s:gate{
    name = "penetration at rest", quantity = "penetration", measure = "maximum", from = p.duration - 0.5, at_most = SIDE / 20,
    reason = "a twentieth of a side: forces are as stiff as explicit ones may be, and a corner carries more than its share",
  }
  -- The lowest begins 0.06 m above the trough; they fall 0.012 m in 0.05 s.
  fall.gates(s, { gravity = 9.81, damping = 4, substeps = 1, steps = 30, mass = #PLACES * 1000 * SIDE ^ 3, tolerance = 1e-11 })
  local weight = #PLACES * 1000 * SIDE ^ 3 * 9.81
  s:gate{
    name = "energy is not made", quantity = "energy/total", measure = "maximum", at_most = weight * (PLACES[1][2] + PLACES[4][2] + SIDE) / 2 * (1 + 1e-9),
    reason = "no more than the weight at the beginning had; backward Euler and explicit forces below their bound lose it",
  }
  s:gate{
    name = "at rest", quantity = "energy/kinetic", measure = "final", at_most = 1e-2 * weight * SIDE,
    reason = "a hundredth of the weight times a side: blocks without friction go on swinging in the trough for a while",
  }
  return s
end

return {
  title = "Soft blocks fall onto each other in a trough",
  parameters = { E = 4e4, n = 3, duration = 3.0 },
  ranges = { E = { above = 0 }, n = { least = 2 }, duration = { least = 1 } },
  build = build,
  planted = { must = { "slow-time", "double-damping" } },
  gold = { steps = 200, frames = 100 },
  figure = "flesh_contact",
}
