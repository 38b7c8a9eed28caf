-- A snail falls onto a ball (Li, Liu, Kavan 2019, fig. 10): its shell is one bone, with nearly half
-- of its nodes; for comparison, a snail with a shell of flesh. The ball is a collider; implicit
-- contact keeps all nodes outside, at the paper's step.
local cubes, fall = include("cubes"), include("fall")

local SIDE = 0.1 -- of the cells of the quick size, m
local LONG, WIDE, FOOT, HIGH = 1.2, 0.6, 0.2, 0.8 -- of the foot along x and y, its thickness, and the shell's top, m
local BALL, DROP = 0.4, 0.2 -- radius, and how far it falls, m
local STEP = 1 / 30
local FULL, PAPER = 4, 105694 -- cells along one of the quick size, in full size; tetrahedra of the paper's snail (table 1)

--- Whether a point is in the shell: half of an ellipsoid on the foot.
local function in_shell(x)
  return x[3] > FOOT and ((x[1] - 0.7) / 0.5) ^ 2 + (x[2] / 0.3) ^ 2 + ((x[3] - FOOT) / (HIGH - FOOT)) ^ 2 < 1
end

local function mesh_of(n)
  local box = {
    from = { 0, -WIDE / 2, 0 }, to = { LONG, WIDE / 2, HIGH },
    cells = { 12 * n, 6 * n, 8 * n },
  }
  return cubes.mesh(box, function(middle)
    local cell = { 0, 0, 0 } -- the middle of the cube that the tetrahedron is in: cubes are kept whole
    for c = 1, 3 do cell[c] = (math.floor((middle[c] - box.from[c]) * n / SIDE) + 0.5) * SIDE / n + box.from[c] end
    return cell[3] < FOOT or in_shell(cell)
  end)
end

local function build(p)
  local s = vb.scene{ step = STEP, duration = p.duration, gravity = { 0, 0, -9.81 }, damping = 0.5 }
  local mesh, shell = mesh_of(p.n), {}
  s:mesh{ mesh = mesh, material = { E = p.E, nu = 0.3 }, density = 1000, name = "snail" }
  for i, x in ipairs(mesh.vertices) do
    if x[3] > FOOT + 1e-6 then shell[#shell + 1] = i - 1 end
  end
  if p.n == FULL then
    s:gate{
      name = "as large as the paper's", number = #mesh.tetrahedra, near = PAPER, tolerance = 0.05, reason = "its mesh is not public; as many tetrahedra",
    }
  end
  local fields = { "position" }
  if p.bone then
    s:bone{ name = "shell", nodes = shell }
    fields = { "position", "bone_position", "bone_frame", "bone_error" }
    s:gate{
      name = "the shell is rigid", quantity = "frames/bone_error", bone = 0, measure = "maximum", at_most = 1e-14, reason = "rounding",
    }
  end
  s:collider{ sphere = { 0.65, 0.03, -BALL - DROP }, radius = BALL, name = "ball" }
  s:record{ every = 1, frames = 1, fields = fields }
  s:solver{ solver = "articulated", iterations = 20 }
  s:gate{
    name = "the objective never rises", quantity = "objective_rise", measure = "maximum", at_most = 1e-9,
    reason = "1e-12 of some 1000 J; each iteration minimizes a bound of it that touches it",
  }
  -- It falls 0.13 m in a sixth of a second, to the ball 0.2 m.
  local mass = fall.mass(mesh, 1000)
  fall.gates(s, { gravity = 9.81, damping = 0.5, substeps = 1, steps = 5, mass = mass, tolerance = 1e-11 })
  s:gate{
    name = "stays out of the ball", quantity = "penetration", measure = "maximum", at_most = 0.01 * SIDE / p.n,
    reason = "a hundredth of a cell: implicit contacts hold at the end of each step, to 1e-9 of the scene's size in its last iteration, "
      .. "but for nodes of a bone, which are projected after that",
  }
  return s
end

--- The height of the shell over the foot: a node of its top from one below.
local function height(tier, run)
  local mesh = mesh_of(tier == "full" and FULL or 1)
  local function at(z) return vb.vertices_at{ mesh = mesh, x = 0.7, y = 0, z = z, tolerance = 1e-6 }[1] end
  local rest = HIGH - 2 * SIDE -- the lowest layer of the shell's nodes in the middle
  local rigid = run == "rigid"
  return {
    name = "the shell keeps its height, " .. run, run = run, quantity = "frames/position", node = at(HIGH - SIDE), apart_from = at(FOOT + SIDE),
    measure = "drift", at_most = rigid and 1e-12 or nil, at_least = not rigid and 1e-3 * rest or nil, finding = not rigid,
    reason = rigid and "points of a bone keep their distance, but for rounding" or "fig. 10: a shell of flesh gives way, by more than can be overlooked",
  }
end

return {
  title = "A snail falls onto a ball: with a rigid shell, with a soft one",
  parameters = { bone = true, E = 4e4, n = 1, duration = 1 },
  build = build,
  runs = function(_, tier)
    local n = tier == "full" and FULL or 1
    return {
      { name = "soft", label = "soft shell", parameters = { bone = false, n = n } },
      { name = "rigid", label = "rigid shell", parameters = { n = n } },
    }
  end,
  gates = function(_, tier) return { height(tier, "soft"), height(tier, "rigid") } end,
  planted = { must = { "slow-time", "double-damping" } },
  gold = { runs = { "rigid" }, steps = 10, frames = 10 },
  figure = "snail",
}
