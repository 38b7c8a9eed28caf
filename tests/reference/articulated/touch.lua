-- Flesh that test_articulated_touch.c puts in contact (support/scenes/lua_scene.h).
local scenes, step = {}, 1 / 30

local obstacles = {
  plane = function(s, p, driver)
    s:halfplane { static_friction = p.sticking, kinetic_friction = p.sliding, driver = driver }
  end,
  ball = function(s) s:collider { name = "shape", sphere = { 0.2, 0.2, -0.5 }, radius = 0.5 } end,
  pipe = function(s)
    s:collider { name = "shape", cylinder = { { 0.2, 0.2, 0.9 }, { 0.2, 1, 0.9 } }, radius = 0.9,
      inside = true }
  end,
}

-- A cube of 0.4 m and 64 kg, of cells of 0.1 m, with its lowest nodes at `height` above an obstacle;
-- `bone` layers of nodes from below are a bone. A driven obstacle moves up, by 0.1 m in 15 steps.
function scenes.block(s, p)
  local mesh, low = vb.box { to = { 0.4, 0.4, 0.4 }, cells = { 4, 4, 4 } }, {}
  for i, v in ipairs(mesh.vertices) do
    if v[3] < 0.1 * (p.bone - 0.5) then low[#low + 1] = i - 1 end
    v[3] = v[3] + p.height
  end
  s:mesh { mesh = mesh, material = { E = 1e6, nu = 0.3 }, density = 1000,
    velocity = function() return p.vx, 0, p.vz end }
  if p.bone > 0 then s:bone { name = "bone", nodes = low, velocity = { p.vx, 0, p.vz } } end
  local floor = p.driven and s:driver { name = "floor", z = { { 0, 0 }, { 15 * step, 0.1 } } } or nil
  obstacles[p.obstacle](s, p, floor)
end

-- A box that falls 1 cm onto another, which is held below, while gravity pulls along, too.
function scenes.boxes(s)
  local function box(from, to, cells, speed)
    return s:mesh { mesh = vb.box { from = from, to = to, cells = cells }, density = 1000,
      material = { E = 1e5, nu = 0.3 }, velocity = function() return 0, 0, speed end }
  end
  local lower = box({ 0, 0, 0 }, { 0.4, 0.4, 0.2 }, { 4, 4, 2 }, 0)
  box({ 0.06, 0.07, 0.2 + 0.01 }, { 0.35, 0.34, 0.4 + 0.01 }, { 2, 2, 2 }, -1)
  s:pin { nodes = lower.faces.z0 }
  s:contact { margin = 0, friction = 0.5 }
end

return {
  title = "Flesh in contact",
  parameters = { scene = "block", obstacle = "plane", height = 0, vx = 0, vz = 0, pull = 0, bone = 0,
    sticking = 0, sliding = 0, driven = false },
  build = function(p)
    local s = vb.scene { step = step, steps = 100, gravity = { p.pull, 0, -9.81 } }
    scenes[p.scene](s, p)
    return s
  end,
}
