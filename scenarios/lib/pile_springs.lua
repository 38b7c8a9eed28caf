-- Rigid rods with friction that fall on each other and on planes, by springs (Cundall and Strack 1979): where surfaces overlap, a damped spring
-- presses them apart, and another one holds them against sliding, as far as Coulomb's law lets it. Shares nothing with pile_impulses.lua and
-- with solvers.

local sqrt = math.sqrt

--- Rods are tables of a middle, an axis, a velocity, an angular momentum and velocity, a force and a moment.
local function make_rods(x, a, n)
  local rods = {}
  for i = 1, n do
    local k = 3 * i - 3
    rods[i] = {
      x = x[k + 1], y = x[k + 2], z = x[k + 3], a = a[k + 1], b = a[k + 2], c = a[k + 3], vx = 0, vy = 0, vz = 0, lx = 0, ly = 0, lz = 0, wx = 0,
      wy = 0, wz = 0,
    }
  end
  return rods
end

--- Both places along two axes, of length 2 `half`, that are next to each other: the best of the lines' own, where they are on both axes, and
--- of each end. Nearly parallel rods have two of the latter, near both ends of what lies side by side.
local function nearest(p, q, half)
  local dx, dy, dz = p.x - q.x, p.y - q.y, p.z - q.z
  local pq, dp, dq = p.a * q.a + p.b * q.b + p.c * q.c, dx * p.a + dy * p.b + dz * p.c, dx * q.a + dy * q.b + dz * q.c
  local function square(s, t)
    local ux, uy, uz = dx + s * p.a - t * q.a, dy + s * p.b - t * q.b, dz + s * p.c - t * q.c
    return ux * ux + uy * uy + uz * uz
  end
  local slope = 1 - pq * pq
  if slope > 1e-4 then
    local s = (pq * dq - dp) / slope
    local t = dq + s * pq
    if s <= half and s >= -half and t <= half and t >= -half then return s, t end
  end
  local best, bs, bt, least, most, ls, lt, ms, mt = math.huge, 0, 0, math.huge, -math.huge, 0, 0, 0, 0
  local function try(s, t)
    local u = square(s, t)
    if u < best then best, bs, bt = u, s, t end
    if s < least then least, ls, lt = s, s, t end
    if s > most then most, ms, mt = s, s, t end
  end
  for e = -half, half, 2 * half do
    local t = dq + e * pq
    try(e, t > half and half or t < -half and -half or t)
    local s = e * pq - dp
    try(s > half and half or s < -half and -half or s, e)
  end
  if slope > 1e-4 or most - least < half / 10 then return bs, bt end
  return ls, lt, ms, mt
end

--- All that two rods could touch with soon: pairs as { p, q }, and ends as { p, place, plane }.
local function look(rods, given, near)
  local pairs_near, ends_near, half = {}, {}, given.half
  for i, p in ipairs(rods) do
    for j = 1, i - 1 do
      local q = rods[j]
      local s, t, u, v = nearest(p, q, half)
      local function close(e, f)
        local dx, dy, dz = p.x + e * p.a - q.x - f * q.a, p.y + e * p.b - q.y - f * q.b, p.z + e * p.c - q.z - f * q.c
        return dx * dx + dy * dy + dz * dz < (2 + near) ^ 2
      end
      if close(s, t) or u and close(u, v) then
        local key = 100 * i + j
        pairs_near[#pairs_near + 1] = { p, q, p.touch and p.touch[key] or { {}, {} }, key }
      end
    end
    for m, plane in ipairs(given.planes) do
      for k = -1, 1, 2 do
        local e = k * half
        if plane[1] * (p.x + e * p.a) + plane[2] * (p.y + e * p.b) + plane[3] * (p.z + e * p.c) - plane[4] < 1 + near then
          local key = -10 * m - k
          ends_near[#ends_near + 1] = { p, e, plane, p.touch and p.touch[key] or {}, key }
        end
      end
    end
  end
  for _, p in ipairs(rods) do p.touch = {} end
  for _, c in ipairs(pairs_near) do c[1].touch[c[4]] = c[3] end
  for _, c in ipairs(ends_near) do c[1].touch[c[5]] = c[4] end
  return pairs_near, ends_near
end

--- The velocity of rod p at the arm from its middle.
local function moves(p, x, y, z)
  return p.vx + p.wy * z - p.wz * y, p.vy + p.wz * x - p.wx * z, p.vz + p.wx * y - p.wy * x
end

local function act(p, x, y, z, fx, fy, fz)
  p.fx, p.fy, p.fz = p.fx + fx, p.fy + fy, p.fz + fz
  p.mx, p.my, p.mz = p.mx + y * fz - z * fy, p.my + z * fx - x * fz, p.mz + x * fy - y * fx
end

--- The force on p, at the arm (x, y, z), by a contact with the normal n, of an overlap, where surfaces move by u relative to each other; by
--- the spring that `kept` has along the surfaces.
local function force(given, kept, overlap, nx, ny, nz, ux, uy, uz, h)
  local un = ux * nx + uy * ny + uz * nz
  local normal = given.stiff * overlap - given.dashpot * un
  if normal <= 0 then
    kept.x = nil
    return 0, 0, 0
  end
  ux, uy, uz = ux - un * nx, uy - un * ny, uz - un * nz
  local x, y, z = (kept.x or 0) + h * ux, (kept.y or 0) + h * uy, (kept.z or 0) + h * uz
  if not kept.x then x, y, z = h * ux, h * uy, h * uz end
  local off = x * nx + y * ny + z * nz
  x, y, z = x - off * nx, y - off * ny, z - off * nz
  local k, d = given.stiff / 2, given.dashpot / 2
  local fx, fy, fz = -k * x - d * ux, -k * y - d * uy, -k * z - d * uz
  local size, most = sqrt(fx * fx + fy * fy + fz * fz), given.mu * normal
  if size > most then
    local part = most / size
    fx, fy, fz = part * fx, part * fy, part * fz
    x, y, z = -(fx + d * ux) / k, -(fy + d * uy) / k, -(fz + d * uz) / k
  end
  kept.x, kept.y, kept.z = x, y, z
  return fx + normal * nx, fy + normal * ny, fz + normal * nz
end

--- The forces between both rods of a pair next to each other at the places s, t.
local function between(given, p, q, s, t, kept, h)
  local nx, ny, nz = p.x + s * p.a - q.x - t * q.a, p.y + s * p.b - q.y - t * q.b, p.z + s * p.c - q.z - t * q.c
  local apart = sqrt(nx * nx + ny * ny + nz * nz)
  if apart >= 2 or apart == 0 then
    kept.x = nil
    return
  end
  nx, ny, nz = nx / apart, ny / apart, nz / apart
  local x, y, z = s * p.a - nx * apart / 2, s * p.b - ny * apart / 2, s * p.c - nz * apart / 2
  local ox, oy, oz = t * q.a + nx * apart / 2, t * q.b + ny * apart / 2, t * q.c + nz * apart / 2
  local ux, uy, uz = moves(p, x, y, z)
  local vx, vy, vz = moves(q, ox, oy, oz)
  local fx, fy, fz = force(given, kept, 2 - apart, nx, ny, nz, ux - vx, uy - vy, uz - vz, h)
  act(p, x, y, z, fx, fy, fz)
  act(q, ox, oy, oz, -fx, -fy, -fz)
end

local function touch_plane(given, p, e, plane, kept, h)
  local nx, ny, nz = plane[1], plane[2], plane[3]
  local gap = nx * (p.x + e * p.a) + ny * (p.y + e * p.b) + nz * (p.z + e * p.c) - plane[4] - 1
  if gap >= 0 then
    kept.x = nil
    return
  end
  local x, y, z = e * p.a - nx, e * p.b - ny, e * p.c - nz
  local ux, uy, uz = moves(p, x, y, z)
  act(p, x, y, z, force(given, kept, -gap, nx, ny, nz, ux, uy, uz, h))
end

--- A step of a rod under its forces: velocities first, then places.
local function advance(given, p, h)
  local slowed = 1 - h * given.drag
  p.vx, p.vy, p.vz = slowed * p.vx + h * p.fx, slowed * p.vy + h * p.fy, slowed * p.vz + h * (p.fz - 1)
  p.lx, p.ly, p.lz = slowed * p.lx + h * p.mx, slowed * p.ly + h * p.my, slowed * p.lz + h * p.mz
  p.x, p.y, p.z = p.x + h * p.vx, p.y + h * p.vy, p.z + h * p.vz
  -- The axis turns by what is across of the angular momentum.
  local lx, ly, lz, a, b, c = p.lx, p.ly, p.lz, p.a, p.b, p.c
  a, b, c = a + h / given.across * (ly * c - lz * b), b + h / given.across * (lz * a - lx * c), c + h / given.across * (lx * b - ly * a)
  local size = sqrt(a * a + b * b + c * c)
  a, b, c = a / size, b / size, c / size
  p.a, p.b, p.c = a, b, c
  local along, across = (lx * a + ly * b + lz * c) * (1 / given.axial - 1 / given.across), 1 / given.across
  p.wx, p.wy, p.wz = across * lx + along * a, across * ly + along * b, across * lz + along * c
end

--- The same as of pile_impulses.lua, with springs of the stiffness `stiff`, in `steps` explicit steps per unit of time.
return function(given, x, a, n, told)
  local rods = make_rods(x, a, n)
  local h, pairs_near, ends_near = 1 / given.steps
  local often = math.floor(0.03 / h)
  given.dashpot = given.dashpot or 2 * sqrt(given.stiff / 2)
  local number = 0
  for time = 1, given.time do
    for _ = 1, given.steps do
      if number % often == 0 then pairs_near, ends_near = look(rods, given, 0.5) end
      number = number + 1
      for _, p in ipairs(rods) do p.fx, p.fy, p.fz, p.mx, p.my, p.mz = 0, 0, 0, 0, 0, 0 end
      for _, c in ipairs(pairs_near) do
        local p, q, kept = c[1], c[2], c[3]
        local s, t, u, v = nearest(p, q, given.half)
        between(given, p, q, s, t, kept[1], h)
        if u then between(given, p, q, u, v, kept[2], h) end
      end
      for _, c in ipairs(ends_near) do touch_plane(given, c[1], c[2], c[3], c[4], h) end
      for _, p in ipairs(rods) do advance(given, p, h) end
    end
    for i, p in ipairs(rods) do x[3 * i - 2], x[3 * i - 1], x[3 * i] = p.x, p.y, p.z end
    told({ x = x }, time)
  end
  return { x = x }
end
