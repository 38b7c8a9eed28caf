-- Rods on triangles (fig. 6 and eq. 25 of the paper on position-based rods; the ball with tentacles
-- of fig. 1). A cloth or a ball is a mesh of triangles whose edges are segments without joints: the
-- paper's constraint of length alone. An end of a rod is clamped in a triangle, and the triangle
-- carries its force and its moment.
local fall = include("fall")
local density = 1000
local cases -- by name: how each is built and run

local function distance(u, v) return math.sqrt((u[1] - v[1]) ^ 2 + (u[2] - v[2]) ^ 2 + (u[3] - v[3]) ^ 2) end

-- A mesh whose nodes and edges are added to a scene: `add` a node at rest at x with options, `join`
-- two nodes once, `attach` the first node of a rod in a triangle.
local function mesh(s, p)
  local m = { place = {}, edge = {}, weight = {}, mass = 0 }
  function m.add(x, options)
    local node = s:node{ position = x, radius = p.radius, start = options and options.start, velocity = options and options.velocity }
    m.place[node], m.weight[node] = x, 0
    s:hinge{ node = node }
    return node
  end
  function m.join(a, b)
    local key = math.min(a, b) .. "-" .. math.max(a, b)
    if m.edge[key] then return end
    local mass = density * math.pi * p.radius ^ 2 * distance(m.place[a], m.place[b])
    for _, node in ipairs{ a, b } do m.weight[node] = m.weight[node] + mass / 2 end
    m.mass = m.mass + mass
    m.edge[key] = s:segment{ nodes = { a, b }, density = density, material = { E = p.E, nu = 0 } }
  end
  function m.triangle(a, b, c)
    m.join(a, b)
    m.join(b, c)
    m.join(c, a)
  end
  function m.middle(t)
    local x = {}
    for k = 1, 3 do x[k] = (m.place[t[1]][k] + m.place[t[2]][k] + m.place[t[3]][k]) / 3 end
    return x
  end
  return m
end

local function attach(s, rod, corners)
  s:set("attachment", { segment = rod.first_segment, node = rod.first, corner = corners })
end

-- A triangle with held corners carries a rod: "clamp", a cantilever across it with a force at its
-- tip; "weigh", a leaning rod with its weight. Corners pull by what a rigid plate on three supports
-- gives.
local function held(s, m, corners)
  local drivers = {}
  for k, node in ipairs(corners) do
    drivers[k] = s:driver{ name = "corner" .. k }
    s:pin{ node = node, components = "xyz", driver = drivers[k] }
  end
  return drivers
end

local function clamp(s, p)
  local edges, length, K, F, a, b = 10, 1, 0.04, 1e-4, 0.3, 0.5
  local m = mesh(s, { radius = 0.01, E = 1e6 })
  local corners = { m.add{ 0, -a, -b / 2 }, m.add{ 0, a, -b / 2 }, m.add{ 0, 0, b / 2 } }
  m.triangle(corners[1], corners[2], corners[3])
  local drivers = held(s, m, corners)
  local r = 0.02
  local k = K / (math.pi * r ^ 4 / 4)
  local rod = s:rod{
    nodes = edges + 1, from = { 0, 0.05, 0.1 }, to = { length, 0.05, 0.1 }, radius = r, density = 1 / (math.pi * r ^ 2),
    material = { kx = k / 2, ky = k / 2, kz = k, kv = 0, kbx = 0, kby = 0 },
  }
  attach(s, rod, corners)
  s:load{ node = rod.last, force = { 0, 0, F } }
  local l, sum = length / edges, length ^ 2 * length / edges / 2
  for i = 1, edges - 1 do sum = sum + (i * l) ^ 2 * l end
  s:gate{
    name = "deflection", quantity = "frames/position", node = rod.last, component = "z", measure = "final", origin = 0.1,
    near = F / K * sum, tolerance = 2e-4,
    reason = "joints K/l, and 2 K/l of the half edge in the triangle; 1e-6 of the square of its angle, 1e-4 of motion that damps away",
  }
  for i, share in ipairs{ -0.5, -0.5, 1 } do
    s:gate{
      name = "moment at corner " .. i, quantity = "reaction/force", driver = drivers[i], component = "x", measure = "final",
      near = share * F * length / b, tolerance = 1e-3,
      reason = "of three supports, against F times the length over the triangle's height; 1e-4 of motion that damps away",
    }
  end
end

local function weigh(s, p)
  local m = mesh(s, { radius = 0.01, E = 1e6 })
  local corners = { m.add{ 0, 0, 0 }, m.add{ 1, 0, 0 }, m.add{ 0.2, 0.9, 0 } }
  m.triangle(corners[1], corners[2], corners[3])
  local drivers = held(s, m, corners)
  local foot, tip = { 0.35, 0.3, 0 }, { 0.5, 0.2, 0.3 }
  local r = 0.02
  local rod = s:rod{ nodes = 5, from = foot, to = tip, radius = r, density = density, material = { E = 2e7, nu = 0 } }
  attach(s, rod, corners)
  local mass = density * math.pi * r ^ 2 * distance(foot, tip)
  local x, y = (foot[1] + tip[1]) / 2, (foot[2] + tip[2]) / 2 -- below its center
  local third = y / 0.9
  local second = x - 0.2 * third
  for i, share in ipairs{ 1 - second - third, second, third } do
    s:gate{
      name = "weight at corner " .. i, quantity = "reaction/force", driver = drivers[i], component = "z", measure = "final",
      near = 9.81 * (m.weight[corners[i]] + share * mass), tolerance = 1e-3,
      reason = "barycentric share of the place below the rod's center: three supports. It sags by 1e-4 of its length",
    }
  end
end

-- Angles of the n links of a chain of equal weights over a span: tan = (k - (n - 1)/2) w/H.
local function catenary(n, l, span)
  local low, high = 1e-6, 1e3 -- w/H
  for _ = 1, 200 do
    local middle, across = (low + high) / 2, 0
    for k = 0, n - 1 do across = across + l * math.cos(math.atan((k - (n - 1) / 2) * middle)) end
    if across > span then low = middle else high = middle end
  end
  local x, z = { 0 }, { 0 }
  for k = 0, n - 1 do
    local a = math.atan((k - (n - 1) / 2) * (low + high) / 2)
    x[k + 2], z[k + 2] = x[k + 1] + l * math.cos(a), z[k + 1] + l * math.sin(a)
  end
  return x, z
end

-- A sheet between two held edges, whose section is a chain's. It starts folded in the middle.
local function sheet(s, p)
  local n, rows, l, span = 16, 2, 0.05, 0.6
  local m = mesh(s, { radius = 0.005, E = 1e7 })
  local knot = {}
  for i = 0, n do
    knot[i] = {}
    for j = 0, rows do
      local down = math.sqrt(l ^ 2 - (span / n) ^ 2) * math.min(i, n - i)
      knot[i][j] = m.add({ l * i, l * j, 0 }, { start = { span / n * i, l * j, -down } })
    end
  end
  for i = 0, n - 1 do
    for j = 0, rows - 1 do
      m.triangle(knot[i][j], knot[i + 1][j], knot[i + 1][j + 1])
      m.triangle(knot[i][j], knot[i + 1][j + 1], knot[i][j + 1])
    end
  end
  for j = 0, rows do s:pin{ nodes = { knot[0][j], knot[n][j] }, components = "xyz" } end
  local x, z = catenary(n, l, span)
  for _, i in ipairs{ n // 4, n // 2 } do
    for j = 0, rows do
      s:gate{
        name = string.format("link %d, row %d", i, j), quantity = "frames/position", node = knot[i][j], component = "z", measure = "final",
        near = z[i + 1], tolerance = 2e-3,
        reason = "of a chain of equal weights, solved for its horizontal force; iterations leave edges some 1e-4 longer",
      }
    end
    s:gate{
      name = string.format("link %d, across", i), quantity = "frames/position", node = knot[i][1], component = "x", measure = "final",
      near = x[i + 1], tolerance = 2e-3, reason = "as its height",
    }
  end
end

-- Gates: rods stay clamped in a mesh with such edges [m]: the first, the middle, the last.
local function stays(s, edge, rods)
  for _, k in ipairs{ 1, #rods // 2 + 1, #rods } do
    s:gate{
      name = string.format("rod %d is where it is clamped, in an impact", k), quantity = "frames/attachment_error",
      segment = rods[k].first_segment, measure = "maximum", at_most = 0.1 * edge,
      reason = "a tenth of an edge: contacts, which are swept last, move triangles in tens of iterations by no more",
    }
    s:gate{
      name = string.format("rod %d is where it is clamped, at rest", k), quantity = "frames/attachment_error",
      segment = rods[k].first_segment, measure = "final", at_most = 0.05 * edge,
      reason = "half of that: in each substep contacts push what lies on them by its fall, 7e-4 m, after the ends are placed",
    }
  end
end

-- Gates of a fall of a mass [kg] of so many steps, before anything touches.
local function falls(s, mass, steps, substeps)
  local _, speed = fall.euler(9.81, 1, s.step / substeps, steps * substeps)
  s:gate{
    name = "momentum of the fall", quantity = "momentum", component = "z", measure = "value", at = steps * s.step, near = -mass * speed,
    tolerance = 1e-10, reason = "implicit Euler's own fall: rounding, 1e-16 for each of some 1e4 sums",
  }
  s:gate{
    name = "energy of the fall", quantity = "energy/kinetic", measure = "value", at = steps * s.step,
    at_least = (1 - 2e-10) * mass * speed ^ 2 / 2, reason = "that of its momentum, to rounding; ghosts that roll add to it",
  }
end

-- A square cloth with a rod on every other triangle falls onto a ball.
local function drape(s, p)
  local n, l, radius = 12, 0.05, 0.006
  local m = mesh(s, { radius = radius, E = 1e6 })
  local knot, triangles = {}, {}
  for i = 0, n do
    knot[i] = {}
    for j = 0, n do knot[i][j] = m.add{ l * (i - n / 2), l * (j - n / 2), 0.26 } end
  end
  for i = 0, n - 1 do
    for j = 0, n - 1 do
      local a, b, c, d = knot[i][j], knot[i + 1][j], knot[i + 1][j + 1], knot[i][j + 1]
      m.triangle(a, b, c)
      m.triangle(a, c, d)
      triangles[#triangles + 1] = (i + j) % 2 == 0 and { a, b, c } or { a, c, d }
    end
  end
  local mass = m.mass
  local rods, energy = {}, m.mass * 9.81 * 0.26
  for k, t in ipairs(triangles) do
    local x = m.middle(t)
    rods[k] = s:rod{
      nodes = 5, radius = 0.003, density = density, material = { E = 1e6, nu = 0 },
      curve = function(u) return x[1] + 0.02 * u * u, x[2], x[3] + 0.08 * u end,
    }
    attach(s, rods[k], t)
    local last
    for i = 0, 4 do
      local y = { x[1] + 0.02 * (i / 4) ^ 2, x[2], x[3] + 0.02 * i }
      if last then
        local own = density * math.pi * 0.003 ^ 2 * distance(last, y)
        mass, energy = mass + own, energy + own * 9.81 * (last[3] + y[3]) / 2
      end
      last = y
    end
  end
  s:collider{ sphere = { 0, 0, 0 }, radius = 0.2, friction = 0.5, name = "ball" }
  s:gate{
    name = "energy of gravity at the start", quantity = "energy/gravity", measure = "first", near = energy, tolerance = 1e-10,
    reason = "m g z of what was built: rounding, 1e-16 for each of some 1e3 sums",
  }
  falls(s, mass, 3, cases.drape.substeps)
  stays(s, l, rods)
  s:gate{
    name = "none goes through the ball", quantity = "penetration", measure = "maximum", at_most = 0.5 * radius,
    reason = "half a thread: contacts are swept last",
  }
  s:gate{
    name = "lies", quantity = "energy/kinetic", measure = "final", at_most = 1e-3 * mass,
    reason = "a mean speed below 0.05 m/s",
  }
  s:gate{
    name = "hangs over the ball", quantity = "frames/position", node = knot[0][0], component = "z", measure = "final", at_most = 0,
    reason = "its corner, 0.42 m from the middle along the cloth, hangs beside a ball of 0.2 m",
  }
end

-- A ball of triangles, an icosahedron whose faces are divided, with a spoke to each node and a rod
-- on every third triangle, is thrown at a half-plane.
local function geodesic(m, R, parts, center, options)
  local g, corner, nodes, triangles = (1 + math.sqrt(5)) / 2, {}, {}, {}
  for _, a in ipairs{ -1, 1 } do
    for _, b in ipairs{ -g, g } do
      corner[#corner + 1] = { 0, a, b }
      corner[#corner + 1] = { a, b, 0 }
      corner[#corner + 1] = { b, 0, a }
    end
  end
  local function node(x)
    local norm = math.sqrt(x[1] ^ 2 + x[2] ^ 2 + x[3] ^ 2)
    local y = { R * x[1] / norm, R * x[2] / norm, R * x[3] / norm }
    local key = string.format("%.5f %.5f %.5f", y[1] + 7, y[2] + 7, y[3] + 7)
    if not nodes[key] then
      nodes[key] = m.add({ y[1], y[2], y[3] + center }, options)
      nodes[#nodes + 1] = nodes[key]
    end
    return nodes[key]
  end
  for i = 1, 12 do
    for j = i + 1, 12 do
      for k = j + 1, 12 do
        local a, b, c = corner[i], corner[j], corner[k]
        if distance(a, b) < 2.1 and distance(b, c) < 2.1 and distance(c, a) < 2.1 then
          local function at(u, v)
            local x = {}
            for q = 1, 3 do x[q] = a[q] + u / parts * (b[q] - a[q]) + v / parts * (c[q] - a[q]) end
            return node(x)
          end
          for u = 0, parts - 1 do
            for v = 0, parts - 1 - u do
              triangles[#triangles + 1] = { at(u, v), at(u + 1, v), at(u, v + 1) }
              if u + v < parts - 1 then triangles[#triangles + 1] = { at(u + 1, v), at(u + 1, v + 1), at(u, v + 1) } end
            end
          end
        end
      end
    end
  end
  return nodes, triangles
end

local function ball(s, p)
  local R, height, radius = 0.3, 0.8, 0.006
  local thrown = { velocity = { 1, 0, -3 } }
  local m = mesh(s, { radius = radius, E = p.E })
  local nodes, triangles = geodesic(m, R, 3, height, thrown)
  for _, t in ipairs(triangles) do m.triangle(t[1], t[2], t[3]) end
  local center = m.add({ 0, 0, height }, thrown)
  for _, node in ipairs(nodes) do m.join(center, node) end
  local top, bottom = nodes[1], nodes[1]
  for _, node in ipairs(nodes) do
    if m.place[node][3] > m.place[top][3] then top = node end
    if m.place[node][3] < m.place[bottom][3] then bottom = node end
  end
  local tentacles = {}
  for k = 1, #triangles, 3 do
    local x = m.middle(triangles[k])
    local out = distance(x, { 0, 0, height })
    tentacles[#tentacles + 1] = s:rod{
      nodes = 5, radius = radius, density = density, material = { E = 1e6, nu = 0 }, velocity = { 1, 0, -3 }, from = x,
      to = { x[1] * (1 + 0.2 / out), x[2] * (1 + 0.2 / out), x[3] + (x[3] - height) * 0.2 / out },
    }
    attach(s, tentacles[#tentacles], triangles[k])
  end
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.4 }
  s:gate{
    name = "above the plane", quantity = "penetration", measure = "maximum", at_most = 0.5 * radius,
    reason = "contacts are visited last, and friction moves nothing across the plane",
  }
  s:gate{
    name = "a ball again", quantity = "frames/position", node = top, apart_from = bottom, measure = "final",
    near = distance(m.place[top], m.place[bottom]), tolerance = 0.05, reason = "a mesh of triangles and spokes is rigid but for its stretch",
  }
  s:gate{
    name = "round while it strikes", quantity = "frames/position", node = top, apart_from = bottom, measure = "minimum",
    at_least = 0.75 * distance(m.place[top], m.place[bottom]), reason = "its lower spokes give way, and no triangle turns inside out",
  }
  stays(s, distance(m.place[triangles[1][1]], m.place[triangles[1][2]]), tentacles)
  s:gate{
    name = "comes to rest", quantity = "energy/kinetic", measure = "final", at_most = 0.5 * m.mass * 0.2 ^ 2,
    reason = "thrown at 3.2 m/s, it rolls at last more slowly than 0.2 m/s",
  }
end

cases = {
  clamp = { build = clamp, step = 1 / 100, steps = 2000, damping = 1.4, iterations = 20, frames = 100, every = 100 },
  weigh = { build = weigh, step = 1 / 400, steps = 200, damping = 10, iterations = 100, frames = 100, every = 100, gravity = 9.81 },
  sheet = { build = sheet, step = 1 / 100, steps = 800, damping = 2, iterations = 60, frames = 100, every = 100, gravity = 1, inextensible = true },
  drape = { build = drape, step = 1 / 60, steps = 150, damping = 1, iterations = 10, substeps = 2, frames = 10, every = 3, gravity = 9.81 },
  ball = { build = ball, step = 1 / 60, steps = 150, damping = 1, iterations = 10, substeps = 4, frames = 10, every = 3, gravity = 9.81 },
}

local function build(p)
  local c = cases[p.case]
  local s = vb.scene{ step = c.step, steps = c.steps, gravity = { 0, 0, -(c.gravity or 0) }, damping = c.damping }
  c.build(s, p)
  s:record{ every = c.every, frames = c.frames, fields = { "position", "attachment_error" } }
  s:solver{ solver = "umetani", method = p.method, iterations = c.iterations, substeps = c.substeps or 1, inextensible = c.inextensible and "yes" or "no" }
  return s
end

return {
  title = "Position-based rods on triangles",
  parameters = { case = "drape", method = "pbd", E = 1e8 },
  ranges = { case = { "clamp", "weigh", "sheet", "drape", "ball" }, method = { "pbd", "xpbd" }, E = { above = 0 } },
  build = build,
  runs = function()
    return {
      { name = "clamp", label = "a rod on a held triangle, xpbd", parameters = { case = "clamp", method = "xpbd" } },
      { name = "weigh", label = "a leaning rod on three corners, pbd", parameters = { case = "weigh" } },
      { name = "sheet", label = "a sheet between two edges", parameters = { case = "sheet", method = "xpbd" } },
      { name = "drape", label = "a cloth with rods on a ball" },
      { name = "ball", label = "a ball with tentacles, pbd", parameters = { case = "ball" } },
      { name = "ball-xpbd", label = "a ball with tentacles, xpbd", parameters = { case = "ball", method = "xpbd" } },
    }
  end,
  gold = { steps = 10, frames = 10, runs = { "clamp", "weigh" } },
  figure = "umetani_cloth",
}
