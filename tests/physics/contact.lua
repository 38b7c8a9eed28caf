-- Bars and capsules in contact: scenes that tests in C choose by `scene` (support/scenes/lua_scene.h).
local scenes = {}
local stiff = { kx = 4e5, ky = 4e5, kz = 4e5, kv = 2e6 }
local soft = { kx = 4e4, ky = 4e4, kz = 4e4, kv = 2e5 }
local rubber = { kx = 4e4, ky = 5e4, kz = 6e4, kbx = 40, kby = 50, kv = 3e5 }

-- Adds a scene, which `add` fills; gravity is tilted by the parameter `angle`.
local function scene(name, step, gravity, add)
  scenes[name] = function(p)
    local g = gravity or p.gravity
    local s = vb.scene { step = step or p.step, steps = 100,
      gravity = { g * math.sin(p.angle), 0, -g * math.cos(p.angle) } }
    add(s, p)
    return s
  end
end

-- A bar of n segments from a point along x, or along y; `held` components of its nodes are pinned.
-- A driver moves these and its frames.
local function bar(s, n, from, length, o)
  local points = {}
  for i = 0, n do
    local along = length * i / n
    points[i + 1] = { from[1] + (o.y and 0 or along), from[2] + (o.y and along or 0), from[3] }
  end
  local rod = s:rod { points = points, radius = o.radius or 0.1, density = o.density or 1000,
    material = o.material or stiff, velocity = o.velocity, angular_velocity = o.spin,
    position = o.position }
  if o.held then s:pin { nodes = rod.nodes, components = o.held, driver = o.driver } end
  if o.driver then s:pin { segments = rod.segments, driver = o.driver } end
  return rod
end

-- Numbers in [-1, 1) that depend on the seed alone, as those of support/scenes/scenes.h.
local function random(seed)
  return function()
    seed = seed * 6364136223846793005 + 1442695040888963407
    return (seed >> 11) / 4503599627370496 - 1
  end
end

-- Two capsules side by side, `apart` from axis to axis, that meet at `speed` each, the second
-- `ratio` times as heavy, scales held.
scene("capsules", 0.01, 0, function(s, p)
  bar(s, 1, { 0, 0, 0 }, 0.5, { y = true, velocity = { p.speed, 0, 0 }, held = "s" })
  bar(s, 1, { p.apart, 0, 0 }, 0.5,
    { y = true, density = 1000 * p.ratio, velocity = { -p.speed, 0, 0 }, held = "s" })
  s:contact { margin = 0.01 }
end)

-- A body of three segments in a U, the outer two of which are 0.1 m apart at rest, and begin `depth`
-- deep in each other. A second body may not touch the first, and begins half as deep in it.
scene("folded", 0.01, 0, function(s, p)
  local closed = { { 0, 0, 0 }, { 0, 0.3, 0 }, { 0.3, 0.3, 0 }, { 0.3, 0, 0 } }
  local first = s:rod { points = closed, radius = 0.1, density = 1000, material = stiff,
    position = function(_, x, y, z) return x > 0.1 and 0.2 - p.depth or 0, y, z end }
  bar(s, 1, { -0.3, 0, 0 }, 0.3,
    { y = true, position = function(_, _, y, z) return -0.2 + p.depth / 2, y, z end })
  s:filter { segments = first.segments, groups = { 0 }, meets = { 0 } }
  s:filter { segments = { 3 }, groups = { 1 }, meets = { 1 } }
  s:contact { self = p.self }
end)

-- A capsule 2 cm deep in the ground.
scene("sunk", 0.01, 0, function(s)
  bar(s, 1, { 0, 0, 0.08 }, 0.5, { y = true, held = "s" })
  s:halfplane { friction = 0.5 }
end)

-- A bar on an incline.
scene("incline", 0.005, 10, function(s)
  bar(s, 4, { 0, 0, 0.1 }, 1, {})
  s:halfplane { friction = 0.5 }
end)

-- Three bars on each other, or `n` stacks of them.
scene("stacks", nil, 10, function(s, p)
  for k = 0, p.n - 1 do
    for i = 0, 2 do bar(s, 4, { 0.01 * k, 0.35 * k, 0.105 + 0.205 * i }, 1, {}) end
  end
  s:halfplane { friction = 0.5 }
  s:contact { margin = 0.01, friction = 0.5 }
end)

-- Two pillars held by drivers, and a bar that lies on them.
scene("pillars", 0.005, 10, function(s)
  for k, name in ipairs { "left", "right" } do
    bar(s, 1, { 0.5 * k - 0.25, -0.2, 0 }, 0.4,
      { y = true, held = "xyzs", driver = s:driver { name = name } })
  end
  bar(s, 4, { 0, 0, 0.2 }, 1, {})
  s:contact { margin = 0.01, friction = 0.5 }
end)

-- A rod between two capsules, of which the lower one is driven.
scene("pinched", 0.005, 0, function(s)
  bar(s, 8, { 0, 0, 0 }, 1, {})
  local lower = s:driver { name = "lower", z = { { 0, 0 }, { 0.5, 0.06 } } }
  bar(s, 1, { 0.5, -0.2, -0.21 }, 0.4, { y = true, held = "xyzs", driver = lower })
  bar(s, 1, { 0.5, -0.2, 0.21 }, 0.4,
    { y = true, held = "xyzs", driver = s:driver { name = "upper" } })
  s:contact { margin = 0.01 }
end)

-- Five soft bars, which a batch holds, each pressed flat on the ground by a driven one.
scene("pressed", 0.01, 0, function(s)
  local plate = s:driver { name = "plate", z = { { 0, 0 }, { 1, -0.1 } } }
  for x = 0, 4 do
    bar(s, 1, { x, 0, 0.1 }, 0.4, { material = soft })
    bar(s, 1, { x, 0, 0.31 }, 0.4, { held = "xyzs", driver = plate })
  end
  s:halfplane {}
  s:contact { margin = 0.01 }
end)

-- A heap of `n` bars that are thrown together, no two alike in speed.
scene("thrown", 0.01, 10, function(s, p)
  local next = random(7)
  for k = 0, p.n - 1 do
    local at, v = { 0.6 * (k % 4), 0.6 * (k // 4 % 4), 0.15 + 0.3 * (k // 16) }, {}
    for c = 1, 3 do
      at[c] = at[c] + 0.03 * next()
      v[c] = (k % 9 == 0 and 4 or 0.5) * next()
    end
    bar(s, 3, at, 0.6, { y = k % 2 == 1, velocity = v })
  end
  s:halfplane { friction = 0.5 }
  s:contact { margin = 0.01, friction = 0.3 }
end)

-- Two bars that slide on the ground at 2 m/s, each on its own; the second has friction `own`. They
-- are of one segment, and scales are held, so that nothing elastic acts.
scene("sliding", 0.01, 9.81, function(s, p)
  for k = 0, 1 do
    bar(s, 1, { 0, k, 0.1 }, 0.6, { material = rubber, velocity = { 2, 0, 0 }, held = "s" })
  end
  s:halfplane { friction = p.friction }
  s:friction { node = 2, friction = p.own }
end)

-- A lower bar that is held, and an upper one that slides along it, with frictions of their own.
scene("braked", 0.01, 9.81, function(s, p)
  bar(s, 1, { 0, 0, 0 }, 20, { material = rubber, held = "xyzs" })
  bar(s, 1, { 0, 0, 0.2 }, 0.6, { material = rubber, velocity = { 2, 0, 0 }, held = "s",
    position = function(_, x, y, z) return x + 3, y, z end })
  s:friction { node = 0, friction = p.lower }
  s:friction { node = 2, friction = p.upper }
  s:contact { margin = 0.01, friction = p.friction }
end)

-- A capsule along y, scales held, that spins about its axis on a plane.
scene("capsule", 0.001, 10, function(s, p)
  bar(s, 1, { 0, -0.25, 0.1 }, 0.5, { y = true, spin = { 0, p.spin, 0 }, held = "s" })
  s:halfplane { friction = p.friction }
end)

-- Bars that are thrown into a heap.
scene("heap", 0.01, 10, function(s)
  local next = random(3)
  for k = 0, 11 do
    local angle, x, points = 3 * next(), 0.1 * next(), {}
    for i = 0, 3 do
      local along = 0.6 * i / 3 - 0.3
      points[i + 1] = { x + along * math.cos(angle), along * math.sin(angle), 0.1 + 0.15 * k }
    end
    s:rod { points = points, radius = 0.06, density = 1000, material = rubber,
      velocity = { 0, 0, -2 } }
  end
  s:contact { margin = 0.01, static_friction = 0.6, kinetic_friction = 0.5 }
  s:halfplane { static_friction = 0.5, kinetic_friction = 0.4 }
end)

-- A rod of one segment that flies onto the half-plane z >= 0 at 2 m/s, and at `speed` along x;
-- scales are held, so that nothing elastic acts. It touches it at time 0.
scene("landing", 0.01, 0, function(s, p)
  bar(s, 1, { 0, 0, 0.1 }, 0.5, { material = rubber, velocity = { p.speed, 0, -2 }, held = "s" })
  s:halfplane { friction = p.friction }
end)

-- Two such rods that meet.
scene("meeting", 0.01, 0, function(s)
  for k = 0, 1 do
    bar(s, 1, { 0, 0, 0.2 * k }, 0.5,
      { material = rubber, velocity = { 0, 0, 2 - 4 * k }, held = "s" })
  end
  s:contact { margin = 0.01 }
end)

-- A bar that slides at 2 m/s on a belt that moves at `speed`, scales held.
scene("belt", 0.01, 9.81, function(s, p)
  bar(s, 1, { 0, 0, 0.1 }, 0.6,
    { material = rubber, velocity = { 2, 0, 0 }, held = "s" })
  s:halfplane { friction = 0.5,
    driver = s:driver { name = "belt", x = { { 0, 0 }, { 1, p.speed } } } }
end)

-- A bar on a half-plane whose driver moves along x or z at `speed`, or ever faster, or turns about z;
-- its scales and frames are held, so that it moves as if it were rigid, and does not roll. It turns
-- with `spin`, as its frames' driver does.
scene("plane", 0.01, nil, function(s, p)
  local keys = { { 0, 0 }, { 1, p.speed } }
  for k = 0, p.faster and 4 or -1 do keys[k + 1] = { 0.1 * k, 0.02 * k * k } end
  local hand, fixed = s:driver { name = "hand", [p.along] = keys }, s:driver { name = "wall" }
  local rod = bar(s, 4, { 0.3, 0, 0.05 }, 0.4, { radius = 0.05, material = rubber,
    velocity = function(t) return 0, p.spin * (0.3 + 0.4 * t), 0 end, spin = { 0, 0, p.spin } })
  s:pin { segments = rod.segments, driver = p.spin > 0 and hand or fixed }
  s:pin { nodes = rod.nodes, components = "s", driver = fixed }
  s:halfplane { friction = p.friction, driver = hand }
end)

-- A bar between a half-plane at rest and one above that comes down within a second, by its driver's z
-- or by turning about a point beside the bar.
scene("press", nil, 0, function(s, p)
  local turns = p.along == "angle"
  local press = s:driver { name = "press", origin = { -1, 0, 0.05 }, axis = { 0, 1, 0 },
    z = { { 0, 0 }, { 1, turns and 0 or -0.01 } }, angle = { { 0, 0 }, { 1, turns and 0.01 or 0 } } }
  local rod = bar(s, 4, { 0, 0, 0 }, 0.4, { radius = 0.05, material = rubber, density = 100 })
  s:pin { node = rod.first, components = "x" } -- else a tilted half-plane drives it out
  s:halfplane { point = { 0, 0, -0.05 } }
  s:halfplane { normal = { 0, 0, -1 }, point = { 0, 0, 0.05 }, driver = press }
end)

return {
  title = "Scenes of contact",
  parameters = { scene = "sunk", speed = 0, apart = 0.5, ratio = 1, angle = 0, n = 1, step = 0.005,
    friction = 0, own = 0, lower = 0, upper = 0, spin = 0, gravity = 0,
    along = "x", faster = false, depth = 0, self = false },
  build = function(p) return scenes[p.scene](p) end,
}
