-- Scenes of problems of critical loads, for entries. A small test force bends the rod while its load
-- grows, and rests, in stages. The deflection in the direction of that force, at its node, grows
-- beyond bounds at the critical load: so it is for every conservative load, by the test force's part
-- in the mode by which the rod buckles.

--- Stages as parts of the critical load: from the first on they grow by the same, and so the load in them is linear in time.
local first, growth, stages = 0.65, 0.044, 8

--- Which deflection is that of the last stage, in lengths, about: what is not linear in it is less than its square over what is left
--- of the load, 1e-6 of the load.
local deflection = 1e-4

--- Test forces: the node, of n segments, and the direction; and how much the rod resists there without load, in B/L^3, about.
local tests = {
  clamped_free = { at = function(n) return n end, along = { 1, 0, 0 }, resists = 3 },
  hinged_hinged = { at = function(n) return n // 2 end, along = { 1, 0, 0 }, resists = 48 },
  clamped_hinged = { at = function(n) return n // 2 end, along = { 1, 0, 0 }, resists = 110 },
  clamped_clamped = { at = function(n) return n // 2 end, along = { 1, 0, 0 }, resists = 192 },
  greenhill = { at = function(n) return n end, along = { 1, 0, 0 }, resists = 3 },
  lateral_buckling = { at = function(n) return n end, along = { 0, 1, 0 }, resists = 3 },
  michell_ring = { at = function(n) return n // 4 end, along = { 0, 0, 1 }, resists = 1500 },
  twist_between_clamps = { at = function(n) return n // 2 end, along = { 1, 0, 0 }, resists = 192 },
  twist_under_tension = { at = function(n) return n // 2 end, along = { 1, 0, 0 }, resists = 192 },
}

local scaled = include("vector").scaled

--- Whether an end is clamped; the middle of the segment there is then at the end of the continuous rod.
local function clamps(held) return held ~= nil and string.sub(held, -3) == "uvw" end

--- Holds an end: `node` and `segment` by the letters `held`. A hinge that lets a rod spin freely holds it only for solvers that need it.
local function hold(s, entry, held, node, segment, driver)
  local turns, spins = clamps(held), string.sub(held, -1) == "w"
  local place = turns and string.sub(held, 1, -4) or spins and string.sub(held, 1, -2) or held
  s:pin{ node = node, components = place .. "s", driver = driver }
  if turns then
    s:pin{ segment = segment, driver = driver }
  elseif spins and entry.hold_spin then
    s:pin{ segment = segment, frame = "w", driver = driver }
  end
end

--- The load over time as parts of the critical one, times `factor`: each stage begins with `ramp` steps in which it grows.
local function course(steps, step, factor)
  local keys, stage = { { 0, 0 } }, steps.ramp + steps.hold
  for k = 1, stages do
    local part = factor * (first + growth * (k - 1))
    keys[#keys + 1] = { ((k - 1) * stage + steps.ramp) * step, part }
    if steps.hold > 0 then keys[#keys + 1] = { k * stage * step, part } end
  end
  return keys
end

--- Nodes of a rod of `n` segments of the length `h`, the first `before` of a segment before its start. A bent one has the rest shape of
--- a straight one, and turns by the same angle at each node, so that its clamps have one place.
local function nodes_of(rod, n, h, before, tools)
  local straight, bent, turns = {}, nil, nil
  for i = 0, n do straight[i + 1] = tools.place_at(rod, h * (i - before)) end
  if rod.bent then
    local frame, axis = rod.start.frame, tools.rotate(rod.start.frame, rod.bent)
    local each = rod.length / (n - 1)
    bent = { straight[1] }
    function turns(t) return table.unpack(scaled(axis, each * (t * n - 0.5))) end
    for i = 1, n do
      local side = tools.frame_at({ start = { frame = frame }, curvature = rod.bent }, each * (i - 1))
      local along, from = tools.rotate(side, { 0, 0, h }), bent[i]
      bent[i + 1] = { from[1] + along[1], from[2] + along[2], from[3] + along[3] }
    end
  end
  return straight, bent, turns
end

--- The round section of a rod, and factors on its bending about u and v. That of a blade has the shear modulus of its twist, a Young's
--- modulus of nu = 0.25, and bends about v as little as the radius `slender` lets it.
local function section(rod, slender)
  if rod.stiffness.bend_v then return rod end
  local along = 1.25 * rod.stiffness.twist
  return { stiffness = { bend_u = along, twist = rod.stiffness.twist } }, { rod.stiffness.bend_u / along, 1 / slender ^ 2 }
end

--- The force that presses or pulls the rod, and its weight, which acts on its nodes.
local function load(s, rod, made, h, curve)
  if rod.force then s:load{ name = "force", node = made.last, force = rod.force, amplitude = curve } end
  if not rod.weight then return end
  local n = made.last - made.first
  for i = 1, n do
    s:load{ name = "weight" .. i, node = made.first + i, force = scaled(rod.weight, i == n and h / 2 or h), amplitude = curve }
  end
end

--- The scene of a case of the rod `rod`, which the entry may have altered, and whose critical load is `critical`.
return function(entry, p, case, rod, critical, tools)
  local of, test = entry.critical, tests[case.name] or tests[p.problem]
  local steps = { ramp = of.ramp or entry.ramp, hold = of.hold or 0 }
  local step, stage = of.step or 1, steps.ramp + steps.hold
  local before, after = clamps(rod.start.held) and 0.5 or 0, rod.finish and clamps(rod.finish.held) and 0.5 or 0
  local h, slender = rod.length / (p.n - before - after), of.slender or entry.slender or 1e-3
  local s = vb.scene{ step = step, steps = stages * stage, gravity = { 0, 0, 0 }, damping = of.damping or 0 }
  local points, bent, turns = nodes_of(rod, p.n, h, before, tools)
  local round, bending = section(rod, slender)
  local body = {
    name = "rod", points = points, radius = slender, density = 1 / (math.pi * slender ^ 2), material = tools.material(round, slender, entry.model),
    frame = function() return table.unpack(rod.start.frame or { 1, 0, 0, 0 }) end,
    bending = bending, position = bent and function(t) return table.unpack(bent[math.floor(t * p.n + 1.5)]) end or nil, turn = turns,
  }
  if entry.alter_body then entry.alter_body(body) end
  local made, held = s:rod(body), {}
  local curve = course(steps, step, critical)
  local driver = rod.twist and s:driver{
    name = "twist", angle = course(steps, step, critical * rod.twist), axis = tools.rotate(rod.start.frame or { 1, 0, 0, 0 }, { 0, 0, 1 }),
    origin = rod.finish.position or { 0, 0, 0 },
  }
  hold(s, entry, rod.start.held, made.first, made.first_segment)
  held[made.first] = true
  if rod.finish then
    hold(s, entry, rod.finish.held, made.last, made.last_segment, driver)
    held[made.last] = true
  end
  if rod.middle_plane then
    s:pin{ node = made.first + p.n // 2, components = "zs" }
    held[made.first + p.n // 2] = true
  end
  local free = {}
  for _, node in ipairs(made.nodes) do
    if not held[node] then free[#free + 1] = node end
  end
  s:pin{ nodes = free, components = "s" }
  load(s, rod, made, h, curve)
  local node = made.first + test.at(p.n)
  s:load{ name = "test", node = node, force = scaled(test.along, deflection * (1 - first - growth * (stages - 1)) * test.resists) }
  s:record{ every = stage, frames = stage, fields = { "position" }, residual = false }
  local unit = stage * step / growth -- in which the load would grow by all of the critical one
  for k, axis in ipairs{ "x", "y", "z" } do
    if test.along[k] ~= 0 then
      s:gate{
        name = case.ask[1].name, quantity = "frames/position", node = node, component = axis, measure = "pole", from = (stage - 0.5) * step,
        near = stage * step + (1 - first) * unit, tolerance = 1e-6 * unit, absolute = true, finding = true,
        reason = "a millionth of the critical load, which grows in this time; the reference is certified",
      }
    end
  end
  return s
end
