-- A chain that hangs from its upper end under its own weight, against how far it must stretch.
-- SPDX-License-Identifier: GPL-3.0-or-later
local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.duration, gravity = { 0, 0, -p.g }, damping = p.damping }
  local chain = s:rod{
    name = "chain", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, -p.length }, radius = p.radius,
    density = p.rho, material = { E = p.E, nu = 0 },
  }
  s:pin{ node = chain.first, components = "xyz" }
  s:record{ every = 6, frames = 30 }
  s:gate{
    name = "elongation", quantity = "frames/position", node = chain.last, component = "z",
    measure = "final", origin = -p.length, near = -p.rho * p.g * p.length ^ 2 / (2 * p.E), tolerance = 0.02,
    reason = "the weight below each point pulls at it: rho g L^2 / (2 E), first order in a strain of "
      .. "up to 1 %, and what is left of the swing: e^(-damping duration / 2) of it",
  }
  s:gate{
    name = "the weight rests on the pin", quantity = "reaction/force", driver = 0, component = "z",
    measure = "final", near = p.rho * math.pi * p.radius ^ 2 * p.length * p.g, tolerance = 0.01,
    reason = "at rest; what is left of the swing is less than a thousandth",
  }
  return s
end

return {
  title = "A chain hanging under its own weight",
  parameters = { n = 16, length = 1.0, radius = 0.01, E = 1e6, rho = 1000, g = 10, damping = 4, duration = 4 },
  build = build,
}
