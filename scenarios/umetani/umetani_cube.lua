-- A cube on a rod that is struck (fig. 8, left, of the paper on position-based rods). The rod hangs
-- from a held end; the cube, edges with diagonals that only keep their lengths, is fastened to it by
-- a triangle of its upper face (eq. 25). A driven ball strikes the cube beside its middle: it
-- swings, and twists its rod. With xpbd the twist oscillates as that of a torsional pendulum.
local edges, length, side, density, radius = 10, 0.8, 0.2, 1000, 0.012
local corner = {}
for i = 0, 7 do
  corner[i + 1] = { side * (i % 2 - 0.5), side * (i // 2 % 2 - 0.5), -length - side * (i // 4) }
end
-- Upper face 1 to 4, lower 5 to 8; and a diagonal of each face.
local sides = { { 1, 2 }, { 2, 4 }, { 4, 3 }, { 3, 1 }, { 5, 6 }, { 6, 8 }, { 8, 7 }, { 7, 5 }, { 1, 5 }, { 2, 6 }, { 3, 7 }, { 4, 8 } }
local diagonals = { { 1, 4 }, { 5, 8 }, { 1, 6 }, { 2, 8 }, { 4, 7 }, { 3, 5 } }

local function apart(u, v) return math.sqrt((u[1] - v[1]) ^ 2 + (u[2] - v[2]) ^ 2 + (u[3] - v[3]) ^ 2) end

-- Shares of mass of an edge's middle and ends: ghosts that are matched have a twentieth, and lie near it.
local ghost = 0.05

local function add_cube(s)
  local nodes, inertia, moment = {}, 0, 0
  for i, x in ipairs(corner) do
    nodes[i] = s:node{ position = x, radius = radius }
    s:hinge{ node = nodes[i] }
  end
  for _, list in ipairs{ sides, diagonals } do
    for _, e in ipairs(list) do
      local a, b = corner[e[1]], corner[e[2]]
      local m = density * math.pi * radius ^ 2 * apart(a, b)
      s:segment{ nodes = { nodes[e[1]], nodes[e[2]] }, density = density, material = { E = 1e9, nu = 0 } }
      local function about(x, y) return x ^ 2 + y ^ 2 end
      inertia = inertia + m * ((1 - ghost) / 2 * (about(a[1], a[2]) + about(b[1], b[2])) + ghost * about((a[1] + b[1]) / 2, (a[2] + b[2]) / 2))
      moment = moment + m * (a[3] + b[3]) / 2
    end
  end
  return nodes, inertia, moment
end

local function build(p)
  local s = vb.scene{ step = 1 / 240, duration = 6, gravity = { 0, 0, -9.81 }, damping = 0 }
  local nodes, inertia, moment = add_cube(s)
  local thin = 0.015
  local rod = s:rod{
    nodes = edges + 1, from = { 0, 0, 0 }, to = { 0, 0, -length }, radius = thin, density = density,
    material = { E = p.E, nu = 0 },
  }
  s:set("attachment", { segment = rod.last_segment, node = rod.last, corner = { nodes[1], nodes[2], nodes[4] } })
  -- What holds the rod is lowered a little, before the strike.
  local hand = s:driver{ name = "hand", z = { { 0, 0 }, { 0.15, -0.01 } } }
  s:pin{ node = rod.first, components = "xyz", driver = hand }
  s:pin{ segment = rod.first_segment }
  s:gate{
    name = "the upper end is lowered", quantity = "frames/position", node = rod.first, component = "z", measure = "value", at = 0.1,
    near = -0.01 * 0.1 / 0.15, tolerance = 1e-12, absolute = true, reason = "at its driver's place: rounding",
  }
  local own = density * math.pi * thin ^ 2 * length
  -- The ball goes to the cube, past its middle, and back.
  local strike = s:driver{ name = "ball", y = { { 0, 0 }, { 0.25, 0.25 }, { 0.35, 0 } } }
  s:collider{ sphere = { 0.08, -side / 2 - radius - 0.06 - 0.2, -length - side / 2 }, radius = 0.06, friction = 0.2, driver = strike, name = "ball" }
  s:gate{
    name = "energy of gravity at the start", quantity = "energy/gravity", measure = "first",
    near = 9.81 * (moment - own * length / 2), tolerance = 1e-10,
    reason = "m g z of what was built: rounding, 1e-16 for each of some 1e2 sums",
  }
  s:gate{
    name = "the cube is struck", quantity = "ribbon/twist", body = 1, measure = "maximum_abs", at_least = 0.02,
    reason = "by more than 7 degrees: what strikes 0.08 m beside the middle turns, too",
  }
  s:gate{
    name = "stays on the rod", quantity = "frames/attachment_error", segment = rod.last_segment, measure = "maximum", at_most = 0.05 * side,
    reason = "a twentieth of the side, in the strike",
  }
  for k, e in ipairs(diagonals) do
    s:gate{
      name = "keeps its shape, diagonal " .. k, quantity = "frames/position", node = nodes[e[1]], apart_from = nodes[e[2]], measure = "final",
      near = apart(corner[e[1]], corner[e[2]]), tolerance = 0.02, reason = "a cube with diagonals is rigid but for its stretch",
    }
  end
  if p.method == "xpbd" then
    -- nu = 0, matched: K3 = (kx + ky) pi r^4/4 = 2 E pi r^4/4. The first segment is held, the last is clamped by half of it.
    local K3, l = 2 * p.E * math.pi * thin ^ 4 / 4, length / edges
    local spring = K3 / ((edges - 1) * l + l / 2)
    s:gate{
      name = "twist oscillates", quantity = "ribbon/twist", body = 1, measure = "frequency", from = 0.6, near = math.sqrt(spring / inertia),
      tolerance = 0.005, reason = "a torsional pendulum: joints in a row, the cube's points; the rod's own inertia is 1e-3 of it",
    }
  end
  s:record{ every = 4, frames = 4, fields = { "position", "frame", "attachment_error" } }
  s:solver{ solver = "umetani", method = p.method, iterations = 40, ghosts = "matched" }
  return s
end

return {
  title = "A struck cube on a position-based rod",
  parameters = { method = "xpbd", E = 2e6 },
  ranges = { method = { "pbd", "xpbd" }, E = { above = 0 } },
  build = build,
  runs = function()
    return {
      { name = "xpbd", label = "xpbd" },
      { name = "pbd", label = "pbd, alpha = 1", parameters = { method = "pbd" } },
    }
  end,
  gold = { steps = 20, frames = 20, runs = { "xpbd" } },
  figure = "umetani_cube",
}
