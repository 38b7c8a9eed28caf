-- Octopuses fall onto fixed pillars, and hang between them.
local crowd, fall = include("crowd"), include("fall")

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.duration, gravity = { 0, 0, -10 }, damping = 1 }
  local all = crowd(s, p.n, 2, 3)
  local side = 4
  for i = 0, side - 1 do
    for j = 0, side - 1 do
      local x, y = (i - 1.5) * p.apart, (j - 1.5) * p.apart
      local pillar = s:rod{
        nodes = 3, from = { x, y, 0 }, to = { x, y, 2.5 }, radius = p.radius, density = 2000,
        material = { E = 1e7, nu = 0.3 }, name = string.format("pillar%d", side * i + j),
      }
      s:pin{ nodes = pillar.nodes, components = "xyzs" }
      s:pin{ segments = pillar.segments }
    end
  end
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5, self = true }
  s:solver{ method = "xpbd", iterations = 10, substeps = 4 }
  s:record{ every = 6, frames = 12 }
  -- Feet begin 0.2 m above the pillars' tops, of which they fall 0.05 m in six steps.
  fall.gates(s, { gravity = 10, damping = 1, substeps = 4, steps = 6, mass = all.mass, tolerance = 1e-10 })
  fall.stands(s, all.foot, 0.077, 0.5)
  fall.apart(s)
  s:gate{
    name = "penetration at rest", quantity = "penetration", measure = "final", at_most = 0.05 * 0.077,
    reason = "a twentieth of the least radius",
  }
  return s
end

return {
  title = "Octopuses on pillars",
  keywords = { "contact" },
  parameters = { n = 12, duration = 8.0, apart = 2.5, radius = 0.3 },
  ranges = { n = { least = 1 }, duration = { above = 0 }, apart = { above = 0 }, radius = { above = 0 } },
  build = build,
  figure = "crowd",
  planted = { must = { "no-contact", "slow-time", "double-damping" } },
  gold = { parameters = { n = 3 }, steps = 30, frames = 30 },
}
