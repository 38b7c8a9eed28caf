-- Rigid rods with friction that fall on each other and on planes, by impulses (Moreau 1999, Jean 1999): implicit steps of velocities, in
-- which contacts hold or slide by Coulomb's law, solved by sweeps over contacts. Shares nothing with pile_springs.lua and with solvers.

local sqrt, max, min, abs = math.sqrt, math.max, math.min, math.abs

--- Contacts of rods i and j of radius 1 as places s, t from the middles: of the nearest points of both axes; of nearly parallel ones also of
--- each end with the other's axis.
local function places_of(of, i, j, half, found)
  local x, a = of.x, of.a
  local p, q, n = 3 * i - 3, 3 * j - 3, 0
  local dx, dy, dz = x[q + 1] - x[p + 1], x[q + 2] - x[p + 2], x[q + 3] - x[p + 3]
  local ax, ay, az, bx, by, bz = a[p + 1], a[p + 2], a[p + 3], a[q + 1], a[q + 2], a[q + 3]
  local da, db, ab = dx * ax + dy * ay + dz * az, dx * bx + dy * by + dz * bz, ax * bx + ay * by + az * bz
  local function onto_a(t) return max(-half, min(half, da + t * ab)) end
  local function onto_b(s) return max(-half, min(half, s * ab - db)) end
  local sine = 1 - ab * ab
  if sine > 1e-9 then
    local s = max(-half, min(half, (da - ab * db) / sine))
    local t = onto_b(s)
    s = onto_a(t)
    found[1], found[2], n = s, onto_b(s), 1
  end
  if sine < 1e-2 then
    for _, e in ipairs{ -half, half } do
      found[2 * n + 1], found[2 * n + 2], found[2 * n + 3], found[2 * n + 4] = e, onto_b(e), onto_a(e), e
      n = n + 2
    end
  end
  return n
end

--- Makes a contact at the arms r of rod i and q of rod j (0: the plane), with the normal n from j to i and the gap.
local function contact(of, list, key, i, j, nx, ny, nz, rx, ry, rz, qx, qy, qz, gap)
  local c = of.kept[key] or { 0, 0, 0, 0 }
  c.i, c.j, c.nx, c.ny, c.nz, c.rx, c.ry, c.rz, c.qx, c.qy, c.qz, c.gap, c.key = i, j, nx, ny, nz, rx, ry, rz, qx, qy, qz, gap, key
  list[#list + 1] = c
end

--- Contacts of both ends of rod i with planes.
local function find_ends(of, list, i)
  local x, a, p = of.x, of.a, 3 * i - 3
  for k, s in ipairs{ -of.half, of.half } do
    for m, plane in ipairs(of.planes) do
      local nx, ny, nz = plane[1], plane[2], plane[3]
      local gap = nx * (x[p + 1] + s * a[p + 1]) + ny * (x[p + 2] + s * a[p + 2]) + nz * (x[p + 3] + s * a[p + 3]) - plane[4] - 1
      if gap < of.reach then
        contact(of, list, 64 * i + 2 * m + k, i, 0, nx, ny, nz, s * a[p + 1] - nx, s * a[p + 2] - ny, s * a[p + 3] - nz, 0, 0, 0, gap)
      end
    end
  end
end

--- Contacts of rods i and j.
local function find_pair(of, list, i, j)
  local x, a, p, q, found = of.x, of.a, 3 * i - 3, 3 * j - 3, {}
  local dx, dy, dz = x[p + 1] - x[q + 1], x[p + 2] - x[q + 2], x[p + 3] - x[q + 3]
  if dx * dx + dy * dy + dz * dz >= (2 * of.half + 2 + of.reach) ^ 2 then return end
  for k = 1, places_of(of, i, j, of.half, found) do
    local s, t = found[2 * k - 1], found[2 * k]
    local nx, ny, nz = dx + s * a[p + 1] - t * a[q + 1], dy + s * a[p + 2] - t * a[q + 2], dz + s * a[p + 3] - t * a[q + 3]
    local length = sqrt(nx * nx + ny * ny + nz * nz)
    if length < 2 + of.reach and length > 0 then
      nx, ny, nz = nx / length, ny / length, nz / length
      contact(of, list, 4096 * i + 64 * j + k, i, j, nx, ny, nz, s * a[p + 1] - nx, s * a[p + 2] - ny, s * a[p + 3] - nz,
        t * a[q + 1] + nx, t * a[q + 2] + ny, t * a[q + 3] + nz, length - 2)
    end
  end
end

--- All pairs whose gap may close within the step.
local function find(of)
  local list = {}
  for i = 1, of.n do
    find_ends(of, list, i)
    for j = 1, i - 1 do find_pair(of, list, i, j) end
  end
  return list
end

--- Changes the velocities of rod `i` by an impulse J at the arm r, as do all impulses of contacts.
local function push(of, i, rx, ry, rz, jx, jy, jz)
  local p, v, w, a = 3 * i - 3, of.v, of.w, of.a
  v[p + 1], v[p + 2], v[p + 3] = v[p + 1] + jx, v[p + 2] + jy, v[p + 3] + jz
  local mx, my, mz = ry * jz - rz * jy, rz * jx - rx * jz, rx * jy - ry * jx
  local along = (mx * a[p + 1] + my * a[p + 2] + mz * a[p + 3]) * (1 / of.axial - 1 / of.across)
  local f = 1 / of.across
  w[p + 1], w[p + 2], w[p + 3] = w[p + 1] + f * mx + along * a[p + 1], w[p + 2] + f * my + along * a[p + 2], w[p + 3] + f * mz + along * a[p + 3]
end

--- The velocity at the arm r of rod `i`, 0 of the plane.
local function velocity(of, i, rx, ry, rz)
  if i == 0 then return 0, 0, 0 end
  local p, v, w = 3 * i - 3, of.v, of.w
  local wx, wy, wz = w[p + 1], w[p + 2], w[p + 3]
  return v[p + 1] + wy * rz - wz * ry, v[p + 2] + wz * rx - wx * rz, v[p + 3] + wx * ry - wy * rx
end

--- What an impulse of 1 along n at the arm r changes of the velocity along n there.
local function ease(of, i, nx, ny, nz, rx, ry, rz)
  if i == 0 then return 0 end
  local p, a = 3 * i - 3, of.a
  local mx, my, mz = ry * nz - rz * ny, rz * nx - rx * nz, rx * ny - ry * nx
  local along = mx * a[p + 1] + my * a[p + 2] + mz * a[p + 3]
  return 1 + (mx * mx + my * my + mz * mz) / of.across + along * along * (1 / of.axial - 1 / of.across)
end

--- Gets a contact ready: how easily it moves along its normal, and at most along the surfaces; and the kept impulse of the step before.
local function prepare(of, c, h)
  c.along = ease(of, c.i, c.nx, c.ny, c.nz, c.rx, c.ry, c.rz) + ease(of, c.j, c.nx, c.ny, c.nz, c.qx, c.qy, c.qz)
  -- Of two directions along the surfaces; what rotation adds in both is no less than in any.
  local tx, ty, tz = c.ny, -c.nx, 0
  if c.nx * c.nx + c.ny * c.ny < 0.5 then tx, ty, tz = 0, c.nz, -c.ny end
  local size = sqrt(tx * tx + ty * ty + tz * tz)
  tx, ty, tz = tx / size, ty / size, tz / size
  local sx, sy, sz = c.ny * tz - c.nz * ty, c.nz * tx - c.nx * tz, c.nx * ty - c.ny * tx
  c.across = ease(of, c.i, tx, ty, tz, c.rx, c.ry, c.rz) + ease(of, c.j, tx, ty, tz, c.qx, c.qy, c.qz)
    + ease(of, c.i, sx, sy, sz, c.rx, c.ry, c.rz) + ease(of, c.j, sx, sy, sz, c.qx, c.qy, c.qz) - (c.j == 0 and 1 or 2)
  c.rate = c.gap > 0 and c.gap / h or 0.1 * c.gap / h
  local rest = c[2] * c.nx + c[3] * c.ny + c[4] * c.nz
  c[2], c[3], c[4] = c[2] - rest * c.nx, c[3] - rest * c.ny, c[4] - rest * c.nz
  local jx, jy, jz = c[1] * c.nx + c[2], c[1] * c.ny + c[3], c[1] * c.nz + c[4]
  push(of, c.i, c.rx, c.ry, c.rz, jx, jy, jz)
  if c.j > 0 then push(of, c.j, c.qx, c.qy, c.qz, -jx, -jy, -jz) end
end

--- One sweep over contacts; returns the greatest change of a velocity.
local function sweep(of, list, mu)
  local most = 0
  for _, c in ipairs(list) do
    local nx, ny, nz, i, j = c.nx, c.ny, c.nz, c.i, c.j
    local ux, uy, uz = velocity(of, i, c.rx, c.ry, c.rz)
    local zx, zy, zz = velocity(of, j, c.qx, c.qy, c.qz)
    ux, uy, uz = ux - zx, uy - zy, uz - zz
    local un = ux * nx + uy * ny + uz * nz
    local normal = max(0, c[1] - (un + c.rate) / c.along)
    local f = 1 / c.across
    local sx, sy, sz = c[2] - f * (ux - un * nx), c[3] - f * (uy - un * ny), c[4] - f * (uz - un * nz)
    local size = sqrt(sx * sx + sy * sy + sz * sz)
    if size > mu * normal then
      local part = mu * normal / size
      sx, sy, sz = part * sx, part * sy, part * sz
    end
    local d = normal - c[1]
    local jx, jy, jz = d * nx + sx - c[2], d * ny + sy - c[3], d * nz + sz - c[4]
    c[1], c[2], c[3], c[4] = normal, sx, sy, sz
    local change = abs(jx) + abs(jy) + abs(jz)
    if change > 0 then
      if change > most then most = change end
      push(of, i, c.rx, c.ry, c.rz, jx, jy, jz)
      if j > 0 then push(of, j, c.qx, c.qy, c.qz, -jx, -jy, -jz) end
    end
  end
  return most
end

--- Moves rods by their velocities; angular momenta stay as they are while axes rotate.
local function advance(of, h, slowed)
  local x, a, v, w = of.x, of.a, of.v, of.w
  for p = 0, 3 * of.n - 3, 3 do
    local wx, wy, wz, ax, ay, az = w[p + 1], w[p + 2], w[p + 3], a[p + 1], a[p + 2], a[p + 3]
    local part = (of.axial - of.across) * (wx * ax + wy * ay + wz * az)
    local lx, ly, lz = of.across * wx + part * ax, of.across * wy + part * ay, of.across * wz + part * az
    for k = 1, 3 do x[p + k] = x[p + k] + h * v[p + k] end
    -- The axis rotates by the midpoint rule, whose result has length 1.
    local hx, hy, hz = h / 2 * wx, h / 2 * wy, h / 2 * wz
    local bx, by, bz = ax + hy * az - hz * ay, ay + hz * ax - hx * az, az + hx * ay - hy * ax
    local scale = 2 / (1 + hx * hx + hy * hy + hz * hz)
    local cx, cy, cz = ax + scale * (hy * bz - hz * by), ay + scale * (hz * bx - hx * bz), az + scale * (hx * by - hy * bx)
    local size = sqrt(cx * cx + cy * cy + cz * cz)
    ax, ay, az = cx / size, cy / size, cz / size
    a[p + 1], a[p + 2], a[p + 3] = ax, ay, az
    local along = (lx * ax + ly * ay + lz * az) * (1 / of.axial - 1 / of.across)
    local f = 1 / of.across
    w[p + 1], w[p + 2], w[p + 3] = slowed * (f * lx + along * ax), slowed * (f * ly + along * ay), slowed * (f * lz + along * az)
    for k = 1, 3 do v[p + k] = slowed * v[p + k] end
  end
end

local function step(of, h, mu, sweeps, enough)
  local v = of.v
  for p = 3, 3 * of.n, 3 do v[p] = v[p] - h end
  local list = find(of)
  for _, c in ipairs(list) do prepare(of, c, h) end
  for k = 1, sweeps do
    if sweep(of, list, mu) < enough then break end
  end
  of.kept = {}
  for _, c in ipairs(list) do if c[1] > 0 then of.kept[c.key] = c end end
end

--- `n` rods of radius and mass 1 and the half length `half`, at first at rest at the middles `x` with the axes `a`, three numbers each,
--- under the gravity 1, with the moments of inertia `across` and `axial`, slowed by the rate `drag`; `planes` are normals and offsets. Makes
--- `steps` steps per unit of the time up to `time`, each of at most `sweeps` sweeps, until an impulse changes by less than `enough`. Calls
--- `told(of, t)` after each unit of time; `of.x` has the middles.
return function(given, x, a, n, told)
  local of = {
    n = n, x = x, a = a, v = {}, w = {}, half = given.half, planes = given.planes, across = given.across, axial = given.axial, kept = {}, reach = 0.5,
  }
  for k = 1, 3 * n do of.v[k], of.w[k] = 0, 0 end
  local each = given.steps
  for t = 1, given.time do
    for _ = 1, each do
      step(of, 1 / each, given.mu, given.sweeps, given.enough)
      advance(of, 1 / each, 1 / (1 + given.drag / each))
    end
    told(of, t)
  end
  return of
end
