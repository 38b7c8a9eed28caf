-- A muscle from a mesh, with a tendon that goes over a bone: rods that viperize put into scenarios/meshes/strap.obj, and go on as a
-- tendon. The muscle contracts and lengthens against a load; the tendon sticks to the bone and slides, by the capstan's law.
-- All moves so slowly that the great densities, by which bundles converge in few iterations, count little.
local shapes = include("muscle_shapes")

local BONE, CORD = 0.02, 1e-3 -- radii of the bone and of the tendon's three rods, m
local END, FREE, LOAD = -0.03, 0.02, 2.0 -- m, where the muscle ends and how much of the tendon hangs beyond the bone; N
local GIVES = 5e-4 -- m, by which the origin gives way, evenly
local HELD, CONTRACTED, LENGTHENED = 0.15, 0.8, 1.5 -- s: the load is there, the muscle is shortest, it is as at first

--- The muscle as rods, side by side along the bone's axis y.
local function viperize(p)
  local mesh = vb.tetrahedralize{ outside = "strap.obj", size = 0.004 }
  local function at(z) return vb.vertices_at{ mesh = mesh, z = z, tolerance = 1e-6 } end
  local data = vb.viperize{ mesh = mesh, source = at(END - 0.1), sink = at(END), rods = 3, slices = p.slices }
  local surface = vb.read_surface{ file = "strap.obj" }
  data.vertices, data.triangles = surface.vertices, surface.triangles
  return data
end

--- The tendon's line: up to the bone, half around it, and down. Its segments touch the bone with their middles.
local function line(p)
  local middle, around, points = BONE + CORD, p.around, {}
  local R = (middle + 1e-5) / math.cos(math.pi / around / 2) -- a hundredth of a millimeter beyond it
  local function add(x, z) points[#points + 1] = { x, 0, z } end
  local edge = math.pi * R / around
  for k = 1, math.floor(-END / edge) - 1 do add(-R, END + k * -END / math.floor(-END / edge)) end
  for k = 0, around do add(-R * math.cos(math.pi * k / around), R * math.sin(math.pi * k / around)) end
  for k = 1, math.floor(FREE / edge) do add(R, -k * edge) end
  return points
end

--- The surface of the tendon: a flat tube along its line, from a little beyond the muscle's end on.
local function sleeve(points)
  local path = { { points[1][1], 0, END + 5e-4 }, table.unpack(points) }
  local last, around, width = path[#path], 12, 3 * CORD
  path[#path] = { last[1], 0, last[3] - CORD }
  local function place(t, u, v)
    local k = math.min(#path - 1, math.floor(t * (#path - 1)) + 1)
    local a, b, part = path[k], path[k + 1], t * (#path - 1) - k + 1
    local x, z = a[1] + part * (b[1] - a[1]), a[3] + part * (b[3] - a[3])
    local nx, nz = x / math.sqrt(x * x + z * z), z / math.sqrt(x * x + z * z)
    if z < 0 then nx, nz = x < 0 and -1 or 1, 0 end
    return { x + v * nx, u * width / CORD, z + v * nz }
  end
  return shapes.surface(around, 2 * (#path - 1), function() return 1 end, function(t, y, z)
    local function rounded(c) return CORD * (c < 0 and -1 or 1) * math.sqrt(math.abs(c)) end -- nearly a rectangle
    return place(t, -rounded(y), rounded(z))
  end)
end

--- The ratio of both pulls as it slides: exp(mu pi) with friction at the axis, and less by a part (1 + mu^2) r/R of the exponent
--- where friction at the surface has nothing to turn; a tendon that resists bending is in between. Their geometric mean.
local function ratio(mu) return math.exp(mu * math.pi * (1 - (1 + mu ^ 2) * CORD / (BONE + CORD) / 2)) end

--- The force on the bone is the sum of the pulls on both sides. (The reaction at the origin is less exact: bundles are moved after
--- the last iteration, and a micrometer of a stiff section is a tenth of a newton.)
local function add_force_gates(s, p, bone)
  local function force(name, sum, from, to)
    s:gate{
      name = name, quantity = "reaction/force", driver = bone, component = "z", measure = "mean", from = from, to = to, near = sum, tolerance = 0.03,
      reason = "both pulls, one by the capstan's law, whose exponent is uncertain by 2.5 % by where friction acts, 1.8 % of the sum; the tendon resists "
        .. "bending, and contact has a margin: 2 % were seen without friction, where the law is exact. Friction of 1.05 times as much is 3.5 % more",
    }
  end
  force("the muscle pulls and the tendon slides", LOAD * (1 + ratio(p.friction)), 0.62, 0.76)
  force("the tendon slides back", LOAD * (1 + 1 / ratio(p.friction)), 1.3, 1.5)
end

--- Where the load is: it hangs still while the muscle's pull is within both bounds of the law, and follows the muscle else.
local function add_load_gates(s, node, friction)
  local function load(name, keys)
    local g = { name = name, quantity = "frames/position", node = node, component = "z" }
    for key, value in pairs(keys) do g[key] = value end
    s:gate(g)
  end
  local still = "what the tendon stretches on the bone; it slides 4.6 mm"
  if friction > 0 then
    load("the load hangs still as the pull rises", { measure = "drift", from = 0.2, to = 0.5, at_most = 3e-4, reason = still })
    load("the load hangs still as the pull falls", { measure = "drift", from = 0.9, to = 1.15, at_most = 3e-4, reason = still })
  end
  load("the load is drawn up", { measure = "maximum", from = 0.2, at_least = -0.0150, reason = "by 4 mm and more from -0.0191 m, once the pull has passed the law" })
  load("the load comes down", { measure = "final", at_most = -0.0185, reason = "to within 0.6 mm, once the pull has fallen below the law" })
end

local function add_gates(s, p)
  local function gate(name, quantity, most, reason)
    s:gate{ name = name, quantity = quantity, measure = "maximum_abs", at_most = most, reason = reason }
  end
  gate("penetration", "penetration", 0.05 * CORD, "tendon and bone: a twentieth of the radius of the tendon's rods")
  gate("pills side by side", "excluded_penetration", 0.25 * CORD,
    "all other drawn pairs: rods of muscle and tendon touch at rest, and bundles keep their distances within a quarter of the least radius")
  gate("skins that cross themselves", "surface/crossings_within", 0, "a skin does not go through itself")
  gate("skins that cross each other", "surface/crossings_between", 0, "those of muscle and tendon")
  gate("volume in skins", "surface/volume_change", 0.02, "2 %: the muscle keeps its volume as it contracts")
end

--- The bone, held by a driver, which is returned; it and the muscle's rods touch each other. Rods of the muscle do not, as bundles hold
--- them side by side.
local function add_bone(s, n_segments)
  local hold = s:driver{ name = "bone" }
  local bone = s:rod{
    name = "bone", nodes = 2, from = { 0, -0.02, 0 }, to = { 0, 0.02, 0 }, radius = BONE, density = 1000, material = { E = 1e7, nu = 0.3 },
  }
  s:pin{ nodes = bone.nodes, components = "xyzs", segments = bone.segments, driver = hold }
  s:look{ node = bone.first, material = "bone" }
  for j = 0, n_segments - 1 do s:filter{ segments = { j }, groups = { 1 }, meets = { 0 } } end
  s:filter{ segments = bone.segments, groups = { 0 }, meets = { 1 } }
  return hold
end

local function build(p)
  local s = vb.scene{ step = 1 / 100, duration = LENGTHENED, damping = p.damping }
  local tendon = line(p)
  local muscle = vb.muscle{
    scene = s, data = viperize(p), name = "muscle", E = p.E, nu = 0.45, density = p.belly_density,
    activation = { { HELD, 1, "cubic" }, { CONTRACTED, p.shortest, "cubic" }, { LENGTHENED, 1 } },
    tendon_last = { points = tendon, radius = CORD * math.sqrt(3), E = p.tendon_E, nu = 0.45, density = p.density },
  }
  local skin = sleeve(tendon)
  s:look{ vertex = s:surface{ vertices = skin.vertices, triangles = skin.triangles }, material = "muscle", color = { 0.90, 0.845, 0.77 } }
  for _, node in ipairs(muscle.last) do
    s:load{ name = "load", node = node, force = { 0, 0, -LOAD / #muscle.last }, amplitude = { { 0, 0, "cubic" }, { HELD, 1 } } }
  end
  local origin = s:driver{ name = "origin", z = { { 0, 0 }, { LENGTHENED, GIVES } } }
  s:pin{ nodes = muscle.first, components = "xyzs", driver = origin }
  local bone = add_bone(s, s.n_segments)
  s:contact{ friction = p.friction }
  s:record{ every = 1, frames = p.frames, fields = { "position", "scale", "frame", "vertices" } }
  s:solver{ method = "direct", iterations = p.iterations, substeps = p.substeps }
  add_force_gates(s, p, bone)
  add_load_gates(s, muscle.last[1], p.friction)
  s:gate{
    name = "origin on its way", quantity = "frames/position", node = muscle.first[1], component = "z", measure = "drift", at_least = GIVES * (1 - 1e-9),
    reason = "held by its driver, to rounding",
  }
  s:gate{
    name = "energy of the tendon", quantity = "energy/stretch", measure = "value", at = 0.7,
    at_least = 0.9 * (LOAD * ratio(p.friction)) ^ 2 * -END / (2 * p.tendon_E * math.pi * 3 * CORD ^ 2),
    reason = "the muscle's pull stretches the 3 cm of tendon between it and the bone; all else adds to it",
  }
  add_gates(s, p)
  return s
end

return {
  title = "A muscle from a mesh pulls its tendon over a bone, by the capstan's law",
  keywords = { "contact" },
  parameters = {
    friction = 0.3, density = 1e5, belly_density = 1e4, E = 3e6, tendon_E = 5e6, shortest = 0.86, damping = 5.0, slices = 14, around = 13,
    frames = 10, iterations = 6, substeps = 16,
  },
  build = build,
  runs = function()
    local list = {}
    for _, mu in ipairs{ 0, 0.3 } do list[#list + 1] = { name = "mu-" .. mu, parameters = { friction = mu } } end
    return list
  end,
  ranges = {
    friction = { least = 0 }, density = { above = 0 }, belly_density = { above = 0 }, E = { above = 0 }, tendon_E = { above = 0 },
    shortest = { above = 0 }, damping = { least = 0 }, slices = { least = 4 }, around = { least = 6 }, frames = { least = 1 }, iterations = { least = 1 },
    substeps = { least = 1 },
  },
  figure = "tendon_over_bone",
  planted = { must = { "friction", "no-contact" } },
  gold = false, -- TetGen's versions make other meshes
}
