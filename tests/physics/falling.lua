-- A straight rod like those of bench/rods.lua, clamped at one end.
return {
  title = "A rod falls",
  parameters = { model = "solid" },
  build = function(p)
    local s = vb.scene { step = 1e-3, steps = 500, gravity = { 0, 0, -9.81 } }
    local rod = s:rod { nodes = 65, from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = 0.02,
      density = 1000, material = { E = 1e6, nu = 0.49, model = p.model } }
    s:pin { node = rod.first, components = "xyz" }
    s:pin { segment = rod.first_segment }
    return s
  end,
}
