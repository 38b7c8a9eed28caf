return { title = 'sets', build = function()
  local s = vb.scene{ step = 0.1, steps = 2 }
  local r = s:rod{ nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1000,
                   material = { E = 1e6, nu = 0.4, model = 'solid' }, frame_inertia = {1, 2, 2} }
  s:set('node', { rest_position = {2, 0, 0}, rest_radius = 0.1 })
  local d = s:set('driver', { translation = {-1, -1, -1} })
  s:set('pin', { location = 'node', index = 1, mask = 'x scale', driver = d })
  s:set('load', { location = 'segment', index = 1, torque = {0, 0, 1}, amplitude = {{0, 0}, {1, 3}} })
  s:set('collider', { shape = 'capsule', point = {{5, 0, 0}, {6, 0, 0}}, radius = 0.5 })
  s:set('bending', { segment = 3, factor = {1, 2} })
  s:friction_pair{ nodes = {0, 5}, friction = 0.5 }
  return s
end }
