-- A driven pill moves through a crowd of octopuses on the ground.
local crowd, fall = include("crowd"), include("fall")

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.duration, gravity = { 0, 0, -10 }, damping = 1 }
  local all = crowd(s, p.n, 1, 0)
  local reach = 5 * math.sqrt(p.n) -- where the ball starts, beyond the crowd, m
  local rest = p.duration / 2 -- until the crowd has settled, s
  local fly = s:driver{ name = "cannon", x = { { rest, 0 }, { p.duration, p.speed * (p.duration - rest) } } }
  local a = s:node{ position = { -reach, -0.25, p.radius }, radius = p.radius }
  local b = s:node{ position = { -reach, 0.25, p.radius }, radius = p.radius }
  local ball = s:segment{ nodes = { a, b }, density = 1000, material = { E = 1e6, nu = 0.4 } }
  s:pin{ nodes = { a, b }, components = "xyzs", driver = fly }
  s:pin{ segment = ball, driver = fly }
  s:name{ node = a, name = "ball" }
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5, self = true }
  s:solver{ method = "xpbd", iterations = 10, substeps = 4 }
  s:record{ every = 2, frames = 6 }
  -- Feet begin 0.037 m above the ground, of which they fall 0.024 m in four steps; the ball still stands.
  fall.gates(s, { gravity = 10, damping = 1, substeps = 4, steps = 4, mass = all.mass, tolerance = 1e-10 })
  fall.stands(s, all.foot, 0.077, 0.5, rest)
  fall.apart(s)
  s:gate{
    name = "nothing is truncated", quantity = "contact_truncated", measure = "maximum", at_most = 0,
    reason = "pills move against each other by less than their radii in a substep, and contacts hold them",
  }
  s:gate{
    name = "penetration", quantity = "penetration", measure = "maximum", at_most = 0.4 * p.radius,
    reason = "a ball that nothing stops presses what is between it and the ground, and goes through none of it; chaos: 0.07 "
      .. "to 0.23 m seen with its speed changed by 1e-6",
  }
  return s
end

return {
  title = "A cannonball through octopuses",
  keywords = { "contact" },
  parameters = { n = 8, duration = 8.0, radius = 0.8, speed = 4.0 },
  ranges = { n = { least = 1 }, duration = { above = 0 }, radius = { above = 0 } },
  build = build,
  figure = "crowd",
  planted = { must = { "no-contact", "slow-time", "double-damping" } },
  show = { view = { -60, 22, 1, 30 } },
  gold = { parameters = { n = 2 }, steps = 15, frames = 15 },
}
