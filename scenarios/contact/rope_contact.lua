-- Ropes in contact: over a capstan, with an overhang slightly less and more than friction can hold;
-- and lowered onto the ground, where it coils.
local GRAVITY = 10 -- m/s^2

--- Longest overhang b beside the shorter one a of a rope over a cylinder [m], by Euler and Eytelwein with the rope's own
--- weight: T' = mu (T + w R cos) - w R sin over the angle from the top, R to the rope's axis, mu the friction, w the weight per
--- length. Its solution is T / (w R) = A cos + B sin + C exp(mu angle).
local function longest(a, R, mu)
  local B = 2 * mu / (1 + mu ^ 2)
  return B * R + (a + B * R) * math.exp(mu * math.pi)
end

local CAPSTAN, ROPE = 0.2, 0.01 -- radii, m

--- A point of the rope's axis, by the length along it: up at x = -R, over the top, and down at x = R.
local function over(R, a, along)
  local angle = (along - a) / R
  if angle < 0 then return -R, 0, along - a end
  if angle > math.pi then return R, 0, -(along - a - math.pi * R) end
  return -R * math.cos(angle), 0, R * math.sin(angle)
end

local cases = {}

function cases.capstan(p)
  local s = vb.scene{ step = 1 / 100, duration = p.duration, damping = p.damping }
  local mu, a = 0.3, 0.3
  local R = (CAPSTAN + ROPE) / math.cos(p.edge / (CAPSTAN + ROPE) / 2) -- of nodes, so that the segments' middles touch
  local b = p.overhang * longest(a, R, mu)
  local length = a + b + math.pi * R
  local nodes = math.floor(length / p.edge + 0.5) + 1
  local rope = s:rod{
    name = "rope", nodes = nodes, radius = ROPE, density = 1000,
    material = { E = p.E, nu = 0.3, kbx = p.bend, kby = p.bend },
    curve = function(t) return over(R, a, t * length) end, -- at rest, so that nothing straightens it
  }
  -- Its weight grows within a second, so that nothing falls into the rope.
  local weight = math.pi * ROPE ^ 2 * 1000 * length / (nodes - 1) * GRAVITY
  for i, node in ipairs(rope.nodes) do
    local share = (i == 1 or i == nodes) and 0.5 or 1
    s:load{ name = "weight", node = node, force = { 0, 0, -share * weight }, amplitude = { { 0, 0, "cubic" }, { 1, 1 } } }
  end
  local hold = s:driver{ name = "held" }
  local capstan = s:rod{
    name = "capstan", nodes = 2, from = { 0, -0.2, 0 }, to = { 0, 0.2, 0 }, radius = CAPSTAN, density = 1000,
    material = { E = 1e7, nu = 0.3 },
  }
  s:pin{ nodes = capstan.nodes, components = "xyzs", driver = hold }
  s:pin{ segments = capstan.segments, driver = hold }
  s:contact{ friction = mu }
  local last = p.duration - 1 -- when the weight has come and what it stirred is gone, s
  if p.overhang < 1 then
    s:gate{
      name = "it holds", quantity = "frames/position", node = rope.first, component = "z", measure = "drift", from = last,
      at_most = 1e-3 * CAPSTAN, reason = "a thousandth of the radius in a second; friction holds wholly, and iterations leave 0.08 mm by direct, the most of three methods",
    }
  else
    s:gate{
      name = "it slides", quantity = "frames/position", node = rope.first, component = "z", measure = "maximum",
      at_least = -a + CAPSTAN, reason = "by the radius: a twentieth of the overhang, 0.06 m, draws it, and the more the farther it is",
    }
  end
  return s
end

--- A rope whose upper end comes down at a constant speed.
function cases.coil(p)
  local s = vb.scene{ step = 1 / 100, duration = p.duration, gravity = { 0, 0, -GRAVITY }, damping = p.damping }
  local length, radius = 2.0, 0.006
  local rope = s:rod{
    name = "rope", nodes = p.n, from = { 0, 0, radius }, to = { 0, 0, radius + length }, radius = radius, density = 1000,
    material = { E = 1e6, nu = 0.3, kbx = p.bend, kby = p.bend },
    position = function(t, x, y, z) return 0.02 * math.sin(12 * t), 0.02 * math.cos(12 * t), z end,
  }
  local hand = s:driver{ name = "hand", z = { { 0, 0 }, { p.duration - 2, -0.9 * length } } }
  s:pin{ node = rope.last, components = "xyz", driver = hand }
  s:pin{ segment = rope.last_segment, frame = "uv", driver = hand } -- it may turn about itself
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.8 }
  s:contact{ friction = 0.5, self = true }
  local function gate(name, quantity, measure, most, reason)
    s:gate{ name = name, quantity = quantity, measure = measure, at_most = most, reason = reason }
  end
  local at = 10 * s.step
  s:gate{
    name = "hand on its way", quantity = "frames/position", node = rope.last, component = "z", measure = "value", at = at, absolute = true,
    near = radius + length - 0.9 * length * at / (p.duration - 2), tolerance = 1e-12, reason = "held by its driver, to rounding",
  }
  s:gate{
    name = "energy at first", quantity = "energy/gravity", measure = "first",
    near = 1000 * math.pi * radius ^ 2 * length * GRAVITY * (radius + length / 2), tolerance = 1e-10,
    reason = "of the rope's weight at the height of its middle, to rounding",
  }
  gate("penetration", "penetration", "maximum", 1e-3 * radius, "0.006 mm: what iterations leave of a contact, ten times what was seen")
  gate("nothing is truncated", "contact_truncated", "maximum", 0, "turns move against each other by less than their radii in a substep, and contacts hold them")
  gate("at rest", "energy/kinetic", "final", 1e-4, "two seconds after the hand has stopped: a hundredth of what it has in motion")
  return s
end

local function build(p)
  local s = cases[p.case](p)
  s:record{ every = 1, frames = 10, fields = { "position", "scale", "frame", "velocity" } }
  s:solver{ iterations = p.iterations, substeps = p.substeps }
  return s
end

return {
  title = "Ropes in contact: a capstan, and coils",
  keywords = { "contact" },
  parameters = { case = "capstan", overhang = 0.95, duration = 3.0, edge = 0.04, iterations = 20, bend = 10.0, damping = 5.0, E = 1e6, substeps = 10, n = 121 },
  ranges = { case = { "capstan", "coil" }, overhang = { above = 0 }, duration = { above = 0 }, edge = { above = 0 } },
  build = build,
  runs = function()
    local list = {}
    for _, method in ipairs{ "direct", "xpbd", "block-descent" } do
      for name, overhang in pairs{ holds = 0.95, slides = 1.05 } do
        list[#list + 1] = { name = method .. "-" .. name, label = method, method = method, parameters = { overhang = overhang } }
      end
    end
    list[#list + 1] = { name = "coil", method = "xpbd", label = "coil, xpbd", substeps = 5,
      parameters = { case = "coil", bend = 1, damping = 1, duration = 7 } }
    return list
  end,
  figure = "rope_contact",
  planted = { must = { "friction", "no-contact" } },
  show = { runs = { "coil" }, view = { 30, 20, 1, 30 } },
  gold = { steps = 5, frames = 5, runs = { "xpbd-holds", "coil" } },
}
