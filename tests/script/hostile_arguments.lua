-- SPDX-License-Identifier: GPL-3.0-or-later
-- What test_hostile_arguments.c calls: each function of the interface by a table that is well, in which every entry,
-- down to three levels, in turn becomes what no function expects. Before this text stand FUNCTION, METHODS, and VALUE,
-- the number of a value, or 0.

local CALLS = {
  scene = { step = 0.1, duration = 1, gravity = {0, 0, -9.81}, damping = 0.1 },
  box = { from = {0, 0, 0}, to = {1, 1, 1}, cells = {1, 1, 2}, tetrahedra = 6 },
  read_surface = { file = 'bar.obj' },
  read_links = { file = 'bar.joint', bones = { first = 1, second = 2 } },
  tetrahedralize = { outside = 'MESH', inside = {}, size = 0.9, quality = 2, keep_surface = true },
  viperize = { mesh = 'MESH', source = {0, 1, 2, 3}, sink = {8, 9, 10, 11}, rods = 2, slices = 3, seed = 1 },
  fibers = { mesh = 'MESH', source = {0, 1, 2, 3}, sink = {8, 9, 10, 11} },
  muscle = { scene = 'SCENE', data = { rods = {{{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 2, 1}}} }, E = 1e6, nu = 0.3,
             density = 1, name = 'm', activation = {{0, 1}, {1, 0.9}}, from = 0, to = 1, skin = false },
  pills = { mesh = 'MESH', count = 4 },
  vertices_at = { mesh = 'MESH', x = 0, y = 0, z = 0, tolerance = 1e-9 },
  pill_surface = { pills = {{0, 0, 0, 1, 0, 0, 1, 0.9}}, faces = 200, blend = 0.1 },
  inside = { mesh = 'MESH', pill = {0, 0, 0, 1, 0, 0, 1, 1} },
  fit = { start = {1, 2}, residuals = function(q) return {q[1] - 1, q[2], q[1] + q[2]} end },
  rod = { nodes = 4, from = {0, 0, 0}, to = {0, 0, 1}, radius = {1, 1, 1, 1}, density = 1, name = 'r', twist = 0.1,
          material = { E = 1, nu = 0 }, scale = 1, velocity = {0, 0, 1}, scale_rate = 0, reverse = false, friction = 0.1,
          reverse_joints = true, angular_velocity = {0, 0, 1}, bending = {1, 2}, rest_curvature = {{0, 0, 0}, {1, 0, 0}},
          frame_inertia = {1, 1, 1}, turn = {0, 0, 0.1}, position = {0, 0, 0} },
  node = { position = {0, 0, 0}, radius = 1, scale = 1, velocity = {0, 0, 0}, scale_rate = 0, start = {0, 0, 1} },
  segment = { nodes = {0, 2}, material = { kx = 1, ky = 1 }, density = 1, bending = {1, 1}, angular_velocity = {0, 0, 1},
              frame_inertia = {1, 1, 1} },
  joint = { segments = {0, 1}, rest_curvature = {0, 0, 0} },
  hinge = { node = 1 },
  name = { node = 0, name = 'n' },
  driver = { name = 'e', origin = {0, 0, 0}, axis = {0, 0, 1}, x = {{0, 0}, {1, 1, 'hold'}}, y = 1, angle = 2, parent = 0 },
  pin = { nodes = {0, 1}, components = 'xyz', driver = 0 },
  load = { node = 0, force = {1, 0, 0}, scale_force = 1, amplitude = {{0, 0}, {1, 1}}, name = 'l', turns_with = 0 },
  record = { every = 1, frames = 1, fields = {'position', 'scale'}, residual = true, reference = {{0, 0, 0}, {0, 0, 1}} },
  solver = { method = 'direct', iterations = 2 },
  gate = { name = 'g', quantity = 'frames/position', node = 0, component = 'z', near = 1, tolerance = 1, reason = 'r' },
  convergence = { after = 1, iterations = {1, 2} },
  bundle = { segments = {0, 1} },
  surface = { vertices = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}, triangles = {{0, 1, 2}}, segments = {-1, 0, 1} },
  bench = { after = 1, accuracy = true, skins = false },
  mesh = { mesh = 'MESH', material = { E = 1, nu = 0.3 }, density = 1, position = {0, 0, 0}, velocity = {0, 0, 1},
           name = 'b' },
  halfplane = { normal = {0, 0, 1}, offset = -1, driver = 0, friction = 0.5 },
  contact = { margin = 0.1, static_friction = 0.2, kinetic_friction = 0.1, self = true },
  filter = { segments = {0}, groups = {0, 31}, meets = {1} },
  follow = { nodes = {0, 1}, drivers = {0, 0}, weights = {0.5, 0.5} },
  activation = { segments = {0, 1}, amount = {{0, 1}, {1, 0.9}}, kind = 'strain', name = 'a' },
  bone = { name = 'c', mass = 1, center = {0, 0, 0}, inertia = {1, 1, 1, 0, 0, 0}, position = {0, 0, 1}, turn = {0, 0, 1},
           velocity = {0, 0, 1}, angular_velocity = {0, 0, 1}, nodes = {0}, segments = {0} },
  tie = { bone = 'BONE', nodes = {0}, segments = {0} },
  link = { name = 'k', kind = 'hinge', bones = {'BONE'}, at = {0, 0, 0}, axis = {0, 0, 1}, limit = {-1, 1} },
  friction = { node = 0, static_friction = 0.2, kinetic_friction = 0.1 },
  friction_pair = { nodes = {0, 5}, friction = 0.1 },
  collider = { name = 'o', capsule = {{5, 0, 0}, {6, 0, 0}}, radius = 1, driver = 0, friction = 0.1 },
  look = { node = 0, material = 'bone', color = {1, 0.5, 0} },
  set = { location = 'segment', index = 1, torque = {0, 0, 1}, amplitude = {{0, 0}, {1, 3}} },
  -- Without such a file, or by its name alone, nothing but the name is read.
  read_mesh = { file = 'none.msh' },
  read_scene = { file = 'none' },
}

-- Further calls of the same functions, by other arguments: the function, its words before the table, and the table.
local MORE = {
  ['rod solid'] = { 'rod', { nodes = 4, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1,
                             material = { E = 1, nu = 0.3, model = 'solid' }, static_friction = 0.2,
                             kinetic_friction = 0.1, bending = {1, 2}, rest_curvature = {0, 1, 0} } },
  ['rod points'] = { 'rod', { points = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}}, radius = 0.1, density = 1,
                              material = { E = 1, nu = 0 } } },
  ['segment solid'] = { 'segment', { nodes = {0, 2}, density = 1, material = { E = 1, nu = 0.3, model = 'solid' } } },
  ['load torque'] = { 'load', { segment = 0, torque = {0, 0, 1}, amplitude = {{0, 0}, {1, 1}}, name = 't' } },
  ['pin frame'] = { 'pin', { segments = {0, 1}, frame = 'uw', driver = 0 } },
  ['halfplane point'] = { 'halfplane', { normal = {0, 0, 1}, point = {0, 0, -1}, static_friction = 0.2,
                                         kinetic_friction = 0.1 } },
  ['collider sphere'] = { 'collider', { sphere = {5, 0, 0}, radius = 1 } },
  ['contact pairs'] = { 'contact', { margin = 0.1, self = false, friction = 0.1 } },
  ['gate measure'] = { 'gate', { name = 'm', quantity = 'energy/total', measure = 'value', at = 0.5, at_most = 1, reason = 'r' } },
  ['set node'] = { 'set', 'node', { rest_position = {2, 0, 0}, rest_radius = 0.1, position = {2, 0, 0}, scale = 1,
                                    velocity = {1, 2, 3}, scale_rate = 0 } },
  ['set segment'] = { 'set', 'segment', { node = {0, 2}, rest_length = 0.5, rest_frame = {1, 0, 0, 0}, density = 1,
                                          frame_inertia = {1, 1, 1}, stiffness = {1, 1, 1, 1, 1, 1}, young = 1,
                                          shear = 1, model = 'solid' } },
  ['set key'] = { 'set', 'key', { time = 1, value = 2, interpolation = 'cubic' } },
  ['set driver'] = { 'set', 'driver', { name = 'n', origin = {1, 0, 0}, axis = {0, 0, 1}, translation = {-1, -1, -1} } },
  ['set pin'] = { 'set', 'pin', { location = 'node', index = 1, mask = 'x scale', driver = 0 } },
  ['set half-plane'] = { 'set', 'half-plane', { normal = {0, 1, 0}, offset = -2, static_friction = 0.5,
                                                kinetic_friction = 0.5 } },
  ['set collider'] = { 'set', 'collider', { shape = 'capsule', point = {{5, 0, 0}, {6, 0, 0}}, radius = 0.5 } },
  ['set bone'] = { 'set', 'bone', { mass = 2, center = {7, 0, 0}, inertia = {1, 1, 1, 0, 0, 0}, position = {7, 0, 0},
                                    frame = {1, 0, 0, 0} } },
  ['set activation'] = { 'set', 'activation', { location = 'segment', index = 1, active = 'force',
                                                curve = {{0, 0}, {1, 1}} } },
  ['set friction'] = { 'set', 'friction', { body = 0, static_friction = 0.25, kinetic_friction = 0.25 } },
}
local METHOD, SET = FUNCTION, nil
if MORE[FUNCTION] then
  local call = MORE[FUNCTION]
  METHOD, SET, CALLS[FUNCTION] = call[1], #call > 2 and call[2] or nil, call[#call]
end
local FAILS = { read_mesh = true, read_scene = true }

local function holes(row)
  local h = {}
  for i = 0, 62 do h[1 << i] = row end
  h[3], h[5] = row, row
  return h
end
local function many(n, row)
  local t = {}
  for i = 1, n do t[i] = row end
  return t
end
local cycle = {}
cycle[1], cycle[2], cycle.mesh, cycle.vertices = cycle, cycle, cycle, cycle
local function again(...) return pcall(again, ...) end
-- Calls the function of the interface from within a call of it.
local function within() return pcall(vb.fit, { start = {1}, residuals = within }) end
-- Keys that are no places of a list, and places far apart.
local function odd_keys()
  return { [0] = {0, 0, 0}, [-1] = 1, [1.5] = 1, [true] = 1, [print] = 1, [{}] = 1, [''] = 1, n = 1 << 53,
           [math.maxinteger] = 1, [math.mininteger] = 1, [1] = {0, 0, 0} }
end
local function deep()
  local t = {}
  for _ = 1, 10000 do t = {t, t} end
  return t
end
-- The list that a call reads changes while it is read.
local shrinking = {1, 2, 3, 4}
local function shrink()
  table.remove(shrinking)
  shrinking.residuals, shrinking[1] = nil, shrinking
  return shrinking
end

local scene = vb.scene{ step = 1, steps = 1 }
local VALUES = {
  function() return nil end, function() return 0 / 0 end, function() return 1 / 0 end, function() return -1 / 0 end,
  function() return -1 end, function() return 0 end, function() return 0.5 end, function() return 1e308 end,
  function() return -1e308 end, function() return 5e-324 end, function() return math.maxinteger end,
  function() return math.mininteger end, function() return 1 << 31 end, function() return true end,
  function() return '' end, function() return '\xff\0%s' end, function() return ('x'):rep(100000) end,
  function() return {} end, function() return holes({0, 0, 0}) end, function() return holes({0, 1, 2, 3}) end,
  function() return holes(1) end, function() return many(20000, {0, 0, 0}) end, function() return many(20000, 1) end,
  function() return many(3, 0 / 0) end, function() return many(3, 1e300) end, function() return cycle end,
  function() return scene end, function() return scene.rod end, function() return print end, function() return vb end,
  function() return function() end end, function() return function() return 0 / 0, 1, 1 end end,
  function() return function() error({}) end end, function() return again end,
  function() return function() return table.unpack(many(1000, 1)) end end,
  function() return function() while true do end end end,
  function() return -0.0 end, function() return 2^53 end, function() return -2^53 - 2 end, function() return 1 << 53 end,
  function() return 2^-1074 * 3 end, function() return -2^63 end, function() return 2^63 end, function() return 2^31 - 0.5 end,
  function() return '1e308' end, function() return ' 0x7fffffffffffffff ' end, function() return 'nan' end,
  function() return '-0' end, function() return ('9'):rep(100000) end, function() return ('\n\0\x1b[2J%n'):rep(100000) end,
  function() return within end, odd_keys, deep, function() return shrinking end, function() return shrink end,
  function() return many(4, '1') end, function() return many(4, -0.0) end, function() return many(3, 2^-1074) end,
  function() return many(4, math.mininteger) end, function() return many(3, scene) end,
  function() return function() end, 1, 2 end, function() return function() return ('x'):rep(1 << 20) end end,
}
-- What these values cannot be, for want of what makes them: tables with metamethods, threads that yield.
assert(setmetatable == nil and getmetatable == nil and coroutine == nil and debug == nil and load == nil and
       collectgarbage == nil, 'the sandbox has more than this test knows')

-- A scene with what the calls speak of, and a copy of their table in which its words are things.
local function prepare()
  local s = vb.scene{ step = 0.1, steps = 10 }
  s:driver{ name = 'd' }
  s:rod{ nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1, material = { E = 1, nu = 0 } }
  s:node{ position = {0, 0, 9}, radius = 0.1 }
  local b = s:bone{ mass = 1, inertia = {1, 1, 1, 0, 0, 0}, center = {0, 0, 0}, name = 'first' }
  local words = { SCENE = s, BONE = b }
  local function copy(x)
    if x == 'MESH' then
      local m = vb.box{ to = {1, 1, 2}, cells = {1, 1, 2} }
      m.regions = {{0, 1}}
      return m
    elseif words[x] then
      return words[x]
    elseif type(x) ~= 'table' then
      return x
    end
    local t = {}
    for k, v in pairs(x) do t[k] = copy(v) end
    return t
  end
  return s, copy(CALLS[FUNCTION])
end

local function call(s, args)
  if vb[METHOD] then return pcall(vb[METHOD], args) end
  if METHOD == 'set' then return pcall(s.set, s, SET or 'load', args) end
  return pcall(s[METHOD], s, args)
end

-- Calls with the value in place of every entry, down to three levels; of long lists of the first and the last.
local function visit(path, table_at, depth)
  for key, old in pairs(table_at) do
    if type(key) ~= 'number' or key <= 2 or key == #table_at then
      local s, args = prepare()
      local at = args
      for _, k in ipairs(path) do at = at[k] end
      at[key] = VALUES[VALUE]()
      call(s, args)
      if type(old) == 'table' and depth < 3 then
        path[depth] = key
        visit(path, old, depth + 1)
        path[depth] = nil
      end
    end
  end
end

-- Each function of the libraries by the value, alone and with every other value before or behind it.
local function visit_libraries()
  local value, others = VALUES[VALUE](), {}
  for i = 1, #VALUES do others[i] = VALUES[i]() end
  for _, library in ipairs{ string, table, utf8, math, { tostring, tonumber, ipairs, pairs, select, type, rawequal, rawget,
                                                         rawset, rawlen, assert, error, pcall, include } } do
    for _, f in pairs(library) do
      pcall(f, value)
      for i = 1, #VALUES do
        pcall(f, value, others[i])
        pcall(f, others[i], value)
        pcall(f, 'abc', value, others[i])
        pcall(f, {1, 2, 3}, value, others[i], 2)
      end
    end
  end
end

return { title = 'hostile', build = function()
  for name in pairs(vb) do assert(CALLS[name], name .. ' has no call') end
  for _, name in ipairs(METHODS) do assert(CALLS[name], name .. ' has no call') end
  local s, args = prepare()
  assert(VALUE == 0 or VALUES[VALUE], 'no more values')
  if FUNCTION == 'libraries' then
    if VALUE > 0 then visit_libraries() end
    return s
  end
  local good, message = call(s, args)
  assert(good or FAILS[FUNCTION], message)
  if VALUE > 0 then
    visit({}, args, 1)
    call(s, VALUES[VALUE]()) -- in place of the whole table, and of the scene
    pcall(vb[METHOD] or scene[METHOD], VALUES[VALUE](), args)
    if SET then pcall(scene.set, scene, VALUES[VALUE](), args) end
  end
  return s
end }
