-- An arm of sculpted bones and muscles (lib/arm_shapes.lua) bends: biceps, triceps, brachialis, brachioradialis, deltoid, and flexors and
-- extensors of the hand, in contact with each other and with the bones. Their rods, of viperize, are in lib/arm_rods.lua;
--     viperbench run sculpted_arm --set anew=biceps
-- makes those of a muscle anew and prints them. Bundles hold by a penalty, without which the steps do not converge: by impulses and xpbd, of
-- as much work, the residual is 0.9, energy comes from nothing, and the muscles store three times the energy.
local arm, rods = include("arm_shapes"), include("arm_rods")
local add_bone = include("bone")

local FLEXED = 0.7 -- s, the time of the greatest flexion
local UPPER, LOWER = { "humerus", "scapula", "clavicle" }, { "ulna", "radius" }

--- A curve that goes to `value` and back.
local function there_and_back(from, value)
  return { { 0, from, "cubic" }, { FLEXED, value, "cubic" }, { 2 * FLEXED, from } }
end

--- A surface that one segment carries, as a bone.
local function add_surface(s, surface, segment)
  local carried = {}
  for i = 1, #surface.vertices do carried[i] = segment end
  s:look{ vertex = s:surface{ vertices = surface.vertices, triangles = surface.triangles, segments = carried }, material = "bone" }
end

--- The x of a point of the forearm after a part of the bending, half or all of it; a cubic curve is at its middle halfway.
local function forearm_at(p, point, part)
  local angle = p.flexion * part
  return (point[1] - arm.elbow[1]) * math.cos(angle) - (point[3] - arm.elbow[3]) * math.sin(angle) + arm.elbow[1]
end

--- Bones, driven; the hand is part of the forearm. Returns the first node of the radius, and where it is at rest. Muscles touch the pills of
--- the bones.
local function add_bones(s, side, upper, lower)
  local node, place
  for _, list in ipairs{ UPPER, LOWER } do
    for _, name in ipairs(list) do
      local shape = arm.bone(name, side)
      local bone = add_bone(s, shape, { driver = list == UPPER and upper or lower })
      s:filter{ segments = bone.segments, groups = { 0 } }
      add_surface(s, shape, bone.segments[1])
      node, place = bone.nodes[1], shape.pills[1]
      if name == "radius" then for _, part in ipairs(arm.hand(side)) do add_surface(s, part, bone.segments[1]) end end
    end
  end
  return node, place
end

--- What the segments of muscle `number` may touch: bones (group 0) and other muscles. Its own rods lie side by side, held by bundles; its
--- outermost sections are fastened to a bone and overlap it.
local function filter(s, muscle, number)
  local others, free = {}, {}
  for k = 1, #arm.muscles do if k ~= number then others[#others + 1] = k end end
  for k = 0, #others do free[k + 1] = k == 0 and 0 or others[k] end
  local meets, order = {}, {}
  local function set(sections, from, to, list)
    for j = from, to do
      for _, segment in ipairs(sections[j]) do meets[segment], order[#order + 1] = list, segment end
    end
  end
  local n, m = #muscle.sections, #muscle.tendon_last
  set(muscle.sections, 1, 2, others)
  set(muscle.sections, 3, n, free)
  set(muscle.tendon_last, 1, m - 1, free)
  set(muscle.tendon_last, m, m, others)
  table.sort(order)
  for _, segment in ipairs(order) do s:filter{ segments = { segment }, groups = { number }, meets = meets[segment] } end
end

--- Adds a muscle between what moves the upper arm and the forearm.
local function add(s, p, number, upper, lower)
  local m = arm.muscles[number]
  local own, skin = rods[m.name], arm.skin(m, p.side)
  local muscle = vb.muscle{
    scene = s, data = { rods = own.rods, parts = own.parts, vertices = skin.vertices, triangles = skin.triangles }, name = m.name,
    E = p.E, nu = 0.45, density = 1060, activation = m.works and there_and_back(1, m.works) or nil,
    tendon_last = { points = m.tendon, radius = m.thick, E = p.tendon_E, nu = 0.45, density = 1060 },
  }
  local origin = upper
  if m.turns then
    local tip = m.heads[1][1]
    origin = s:driver{
      name = m.name .. " origin", parent = upper, origin = { tip[1], tip[2], tip[3] }, axis = { 0, -1, 0 },
      angle = there_and_back(0, m.turns * p.flexion),
    }
  end
  s:pin{ nodes = muscle.first, components = "xyzs", segments = muscle.sections[1], driver = origin }
  s:pin{ nodes = muscle.last, components = "xyz", driver = m.to == "humerus" and upper or lower }
  filter(s, muscle, number)
end

local function add_gates(s, p, radius, radius_end)
  local function gate(name, quantity, most, reason, finding)
    s:gate{ name = name, quantity = quantity, measure = "maximum_abs", at_most = most, reason = reason, finding = finding }
  end
  local function there(name, part, measure)
    s:gate{
      name = name, quantity = "frames/position", node = radius, component = "x", measure = measure, at = part * FLEXED, absolute = true,
      near = forearm_at(p, radius_end, part), tolerance = 1e-12, reason = "the radius is held by its driver, to rounding",
    }
  end
  there("the forearm on its way", 0.5, "value")
  there("the forearm, bent", 1, "value")
  gate("skins that cross themselves", "surface/crossings_within", 0, "a skin does not go through itself")
  gate("skins that cross others", "surface/crossings_between", 0, "muscles and bones are in contact; where a tendon ends there is a gap of a millimeter")
  gate("volume in skins", "surface/volume_change", 0.013, "2 % of the muscles, which have two thirds of this volume; bones have the rest")
  gate("penetration", "penetration", 5e-4, "half a millimeter, of radii of 2 mm and more")
  gate("pills of one muscle, and fastened ends", "excluded_penetration", 2e-3,
    "the other drawn pairs: bundles hold rods of a muscle side by side, and its outermost sections overlap the bone they are fastened to. More is "
      .. "within one rod, whose segments become shorter than thick as it contracts", true)
  s:gate{
    name = "steps converge", quantity = "residual", measure = "maximum", from = 0.1, at_most = 0.01,
    reason = "a hundredth of the forces; in the first 0.1 s muscles swing from where they were moved apart, and 0.06 is left",
  }
  gate("no energy from nothing", "balance/energy_gain", 0.01, "what passes for convergence; by impulses and xpbd, of as much work, it is 0.4")
  gate("balance of energies", "balance/unaccounted", 0.1, "of all work; bundles and the time step take 6 %, and 5 % in 16 substeps")
  s:gate{
    name = "muscles are strained", quantity = "energy/stretch", measure = "final", at_least = p.E * 1e-3 * 0.01 ^ 2 / 2,
    reason = "a liter of muscle at a mean strain of 1 %; some are strained by a tenth and more",
  }
end

local function build(p)
  for _, m in ipairs(arm.muscles) do
    if m.name == p.anew then arm.print_rods(m, arm.viperize(m)) end
  end
  local s = vb.scene{ step = 1 / 60, duration = p.duration, damping = 5 }
  local upper = s:driver{ name = "shoulder" }
  local lower = s:driver{ name = "elbow", origin = arm.elbow, axis = { 0, -1, 0 }, angle = there_and_back(0, p.flexion) }
  for k in ipairs(arm.muscles) do add(s, p, k, upper, lower) end
  local node, place = add_bones(s, p.side, upper, lower)
  s:contact{ friction = p.friction }
  s:record{ every = 1, frames = p.frames, fields = { "position", "scale", "frame", "vertices" }, residual = true }
  s:solver{
    method = "direct", bundle_solve = "penalty", iterations = p.iterations, substeps = p.substeps, tolerance = 0, begin = "apart",
  }
  add_gates(s, p, node, place)
  return s
end

return {
  title = "An arm of sculpted bones and muscles bends",
  keywords = { "contact" },
  parameters = {
    side = 0.005, flexion = 1.3, friction = 0.0, E = 3e4, tendon_E = 3e5, iterations = 12, substeps = 12, duration = FLEXED, frames = 21, anew = "",
  },
  ranges = {
    side = { above = 0 }, flexion = { least = 0, most = 1.5 }, friction = { least = 0 }, E = { above = 0 }, tendon_E = { above = 0 },
    iterations = { least = 1 }, substeps = { least = 1 }, duration = { above = 0 }, frames = { least = 1 },
  },
  build = build,
  figure = "sculpted_arm",
  show = { parameters = { side = 0.003, duration = 2 * FLEXED }, view = { 50, 8, 1, 30 } },
  gold = false, -- surfaces take three seconds; studies leg and arm_flexion record the same solver's steps
}
