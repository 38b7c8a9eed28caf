-- Figure 9: a section of seven rods, rotated and uniformly scaled, by shape matching with and
-- without scale. The stiffness of the rods is negligible, so that only the bundle moves them.
local ANGLE = 0.7 -- rad
local RADIUS, RING, LENGTH = 0.05, 0.12, 0.1 -- m
local ROUNDING = "rounding: one fit of seven discs; the stiffness moves nodes by 1e-12 of their places at most"

--- Where the rods' middles rest, in the plane of y and z: one in the middle, six around.
local function places()
  local out = { { 0, 0 } }
  for k = 0, 5 do out[k + 2] = { RING * math.cos(k * math.pi / 3), RING * math.sin(k * math.pi / 3) } end
  return out
end

local function build(p)
  local s = vb.scene{ step = 1e-3, steps = 1 }
  local section, c, w = {}, math.cos(ANGLE), math.sin(ANGLE)
  local size = p.bundle_scale == "yes" and p.scale or 1
  for i, at in ipairs(places()) do
    local y, z = c * at[1] - w * at[2], w * at[1] + c * at[2]
    local rod = s:rod{
      nodes = 2, from = { 0, at[1], at[2] }, to = { LENGTH, at[1], at[2] }, radius = RADIUS, density = 1000,
      material = { E = 1e-9, nu = 0.3 }, name = "rod" .. i, scale = p.scale, turn = { ANGLE, 0, 0 },
      position = function(_, x) return x, p.scale * y, p.scale * z end,
    }
    section[i] = rod.first_segment
    for k, expected in ipairs{ size * y, size * z } do
      s:gate{
        name = string.format("rod %d, %s", i, k == 1 and "y" or "z"), quantity = "frames/position", node = rod.first,
        component = k == 1 and "y" or "z", measure = "final", near = expected, tolerance = 1e-12, absolute = true, reason = ROUNDING,
      }
    end
    s:gate{
      name = string.format("rod %d, scale", i), quantity = "frames/scale", node = rod.first, measure = "final",
      near = size, tolerance = 1e-12, absolute = true, reason = ROUNDING,
    }
  end
  if p.bundle_scale == "no" then -- sections come to scale 1 in the step
    local mass, rate = 1000 * math.pi * RADIUS ^ 2 * LENGTH, (p.scale - 1) / s.step
    s:gate{
      name = "energy of the motion", quantity = "energy/kinetic", measure = "final",
      near = 0.5 * mass * rate ^ 2 * (7 * RADIUS ^ 2 / 2 + 6 * RING ^ 2), tolerance = 1e-11,
      reason = "of seven rods' scales, and of the six around; rounding",
    }
  end
  s:bundle{ segments = section }
  s:record{ every = 1, frames = 1, fields = { "position", "scale", "frame" } }
  s:solver{ iterations = 1, bundle_scale = p.bundle_scale }
  return s
end

return {
  title = "Shape matching of a section with and without scale (VIPER, figure 9)",
  keywords = { "quick" },
  parameters = { scale = 1.5, bundle_scale = "yes" },
  ranges = { scale = { above = 0 }, bundle_scale = { "yes", "no" } },
  build = build,
  runs = function()
    return {
      { name = "scaled", label = "with scale" },
      { name = "plain", label = "without scale", parameters = { bundle_scale = "no" } },
      { name = "scaled-small", label = "with scale", parameters = { scale = 0.6 } },
      { name = "plain-small", label = "without scale", parameters = { scale = 0.6, bundle_scale = "no" } },
    }
  end,
  figure = "shape_matching",
}
