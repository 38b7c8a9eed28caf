-- Closed surfaces of bodies that are given by a distance: round cones, blended into each other.
-- SPDX-License-Identifier: GPL-3.0-or-later
local implicit = {}

-- For distances of several parts: a function of a place and a radius, which returns the same distance near to that place, of fewer parts.
local shorter = {}

local SLOPE = 1.1 -- distances of tapered cones and of blends grow by that per meter at most

--- Of `parts` those that may be the least within the radius `reach` of x, by a margin, each likewise.
local function near_parts(parts, x, reach, margin)
  local value, least, list = {}, math.huge, {}
  for k, part in ipairs(parts) do
    value[k] = part(x[1], x[2], x[3])
    least = math.min(least, value[k])
  end
  for k, part in ipairs(parts) do
    if value[k] <= least + 2 * SLOPE * reach + margin then list[#list + 1] = shorter[part] and shorter[part](x, reach) or part end
  end
  return list
end

--- The distance from a round cone: from point a with radius ra to point b with radius rb; negative inside. Exact where ra = rb.
function implicit.cone(a, b, ra, rb)
  local x0, y0, z0 = a[1], a[2], a[3]
  local dx, dy, dz, dr = b[1] - x0, b[2] - y0, b[3] - z0, rb - ra
  local square, root = math.max(dx * dx + dy * dy + dz * dz, 1e-30), math.sqrt
  return function(x, y, z)
    local u, v, w = x - x0, y - y0, z - z0
    local t = (u * dx + v * dy + w * dz) / square
    if t <= 0 then return root(u * u + v * v + w * w) - ra end
    if t > 1 then t = 1 end
    u, v, w = u - t * dx, v - t * dy, w - t * dz
    return root(u * u + v * v + w * w) - ra - t * dr
  end
end

--- The distance from a triangle of points a, b, c, rounded by the radius r.
function implicit.plate(a, b, c, r)
  local e, f = { b[1] - a[1], b[2] - a[2], b[3] - a[3] }, { c[1] - a[1], c[2] - a[2], c[3] - a[3] }
  local ee, ef, ff = e[1] ^ 2 + e[2] ^ 2 + e[3] ^ 2, e[1] * f[1] + e[2] * f[2] + e[3] * f[3], f[1] ^ 2 + f[2] ^ 2 + f[3] ^ 2
  local det = ee * ff - ef * ef
  local edges = { implicit.cone(a, b, r, r), implicit.cone(b, c, r, r), implicit.cone(c, a, r, r) }
  return function(x, y, z)
    local u, v, w = x - a[1], y - a[2], z - a[3]
    local p, q = u * e[1] + v * e[2] + w * e[3], u * f[1] + v * f[2] + w * f[3]
    local i, j = (ff * p - ef * q) / det, (ee * q - ef * p) / det
    if i > 0 and j > 0 and i + j < 1 then
      u, v, w = u - i * e[1] - j * f[1], v - i * e[2] - j * f[2], w - i * e[3] - j * f[3]
      return math.sqrt(u * u + v * v + w * w) - r
    end
    return math.min(edges[1](x, y, z), edges[2](x, y, z), edges[3](x, y, z))
  end
end

--- The least of several distances.
function implicit.union(parts)
  local function distance(x, y, z)
    local least = math.huge
    for k = 1, #parts do
      local own = parts[k](x, y, z)
      if own < least then least = own end
    end
    return least
  end
  shorter[distance] = function(x, reach)
    local list = near_parts(parts, x, reach, 0)
    return #list == 1 and list[1] or implicit.union(list)
  end
  return distance
end

--- The body `whole` without what is within `gap` of `part`, both given by distances, with a rounded edge of width `width`.
function implicit.carve(width, whole, part, gap)
  local function distance(x, y, z)
    local own, other = whole(x, y, z), (gap or 0) - part(x, y, z)
    local h = math.max(0, width - math.abs(own - other)) / width
    return math.max(own, other) + h * h * width / 4
  end
  shorter[distance] = function(x, reach)
    local own, other = whole(x[1], x[2], x[3]), (gap or 0) - part(x[1], x[2], x[3])
    local less = shorter[whole] and shorter[whole](x, reach) or whole
    if other + 2 * SLOPE * reach + width < own then return less end
    return implicit.carve(width, less, shorter[part] and shorter[part](x, reach) or part, gap)
  end
  return distance
end

--- The least of several distances, with rounded transitions of width `width` [m] (a quadratic blend of two at a time).
function implicit.blend(width, parts)
  local function distance(x, y, z)
    local all = math.huge
    for k = 1, #parts do
      local own = parts[k](x, y, z)
      local h = 1 - (own > all and own - all or all - own) / width
      if own < all then all = own end
      if h > 0 then all = all - h * h * width / 4 end
    end
    return all
  end
  shorter[distance] = function(x, reach)
    local list = near_parts(parts, x, reach, 1.5 * width)
    return #list == 1 and list[1] or implicit.blend(width, list)
  end
  return distance
end

-- The six tetrahedra of a cube by its diagonal: corners as bits of x, y, z.
local KUHN = { { 0, 1, 3, 7 }, { 0, 3, 2, 7 }, { 0, 2, 6, 7 }, { 0, 6, 4, 7 }, { 0, 4, 5, 7 }, { 0, 5, 1, 7 } }

local function subtract(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

--- Adds triangle i, j, k, turned so that its normal has the direction `out`.
local function add(surface, i, j, k, out)
  local v = surface.vertices
  local a, b = subtract(v[j + 1], v[i + 1]), subtract(v[k + 1], v[i + 1])
  local n = { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
  local same = n[1] * out[1] + n[2] * out[2] + n[3] * out[3] > 0
  surface.triangles[#surface.triangles + 1] = same and { i, j, k } or { i, k, j }
end

--- Cuts one tetrahedron of the grid: corners as { number, place, distance }. Cuts stay away from corners, so that no triangle is thin.
local function cut(surface, seen, corner)
  local inside, outside = {}, {}
  for _, c in ipairs(corner) do table.insert(c[3] < 0 and inside or outside, c) end
  if #inside == 0 or #outside == 0 then return end
  local function on(a, b)
    local key = a[1] < b[1] and a[1] .. ":" .. b[1] or b[1] .. ":" .. a[1]
    if not seen[key] then
      local t = math.max(0.3, math.min(0.7, a[3] / (a[3] - b[3])))
      seen[key], surface.vertices[#surface.vertices + 1] = #surface.vertices, {
        a[2][1] + t * (b[2][1] - a[2][1]), a[2][2] + t * (b[2][2] - a[2][2]), a[2][3] + t * (b[2][3] - a[2][3]),
      }
    end
    return seen[key]
  end
  local out = { 0, 0, 0 }
  for c = 1, 3 do
    for _, a in ipairs(outside) do out[c] = out[c] + a[2][c] / #outside end
    for _, a in ipairs(inside) do out[c] = out[c] - a[2][c] / #inside end
  end
  if #inside == 2 then
    local p, q = on(inside[1], outside[1]), on(inside[2], outside[2])
    add(surface, p, on(inside[1], outside[2]), q, out)
    add(surface, p, q, on(inside[2], outside[1]), out)
  else
    local lone, others = inside[1], outside
    if #inside == 3 then lone, others = outside[1], inside end
    add(surface, on(lone, others[1]), on(lone, others[2]), on(lone, others[3]), out)
  end
end

--- Moves each vertex to the middle of its neighbors, then to the surface, by `steps` short steps so that it does not cross itself.
local function smooth(surface, grid, h, steps)
  local sum, count = {}, {}
  for i = 1, #surface.vertices do sum[i], count[i] = { 0, 0, 0 }, 0 end
  for _, t in ipairs(surface.triangles) do
    for k = 1, 3 do
      local i, x = t[k] + 1, surface.vertices[t[k % 3 + 1] + 1]
      for c = 1, 3 do sum[i][c] = sum[i][c] + x[c] end
      count[i] = count[i] + 1
    end
  end
  for i, x in ipairs(surface.vertices) do
    for c = 1, 3 do x[c] = sum[i][c] / count[i] end
    local distance = grid.near(x)
    for _ = 1, steps do
      local d, e = distance(x[1], x[2], x[3]), 0.01 * h
      local g = {
        (distance(x[1] + e, x[2], x[3]) - d) / e, (distance(x[1], x[2] + e, x[3]) - d) / e, (distance(x[1], x[2], x[3] + e) - d) / e,
      }
      local step = math.max(-0.2 * h, math.min(0.2 * h, d)) / math.max(0.25, g[1] ^ 2 + g[2] ^ 2 + g[3] ^ 2)
      for c = 1, 3 do x[c] = x[c] - step * g[c] end
    end
  end
end

local BLOCK = 4 -- cubes along a block's edge

--- The grid of cubes over the box of `o`: number(i, j, k) of a corner, whose distance is then in value; at(i, j, k), its place;
--- each(f), which calls f(i, j, k) for the cubes that the surface may pass; and near(x), the distance near the place x.
local function grid_of(o)
  local n, value, blocks, grid = {}, {}, {}, {}
  for c = 1, 3 do n[c] = math.ceil((o.to[c] - o.from[c]) / o.side) + 1 end
  grid.value = value
  local half = o.side * BLOCK / 2
  local reach = 1.01 * math.sqrt(3) * half
  function grid.at(i, j, k) return { o.from[1] + i * o.side, o.from[2] + j * o.side, o.from[3] + k * o.side } end
  local function block(i, j, k)
    local key = (i * 4096 + j) * 4096 + k
    if blocks[key] == nil then
      local x = grid.at(i * BLOCK, j * BLOCK, k * BLOCK)
      for c = 1, 3 do x[c] = x[c] + half end
      local near = math.abs(o.distance(x[1], x[2], x[3])) <= SLOPE * reach
      blocks[key] = near and (shorter[o.distance] and shorter[o.distance](x, reach) or o.distance)
    end
    return blocks[key]
  end
  function grid.near(x)
    local p = {}
    for c = 1, 3 do p[c] = math.floor((x[c] - o.from[c]) / (o.side * BLOCK)) end
    return block(p[1], p[2], p[3]) or o.distance
  end
  local own -- the distance of the block that is visited
  function grid.number(i, j, k)
    local p = (k * n[2] + j) * n[1] + i
    value[p] = value[p] or own(o.from[1] + i * o.side, o.from[2] + j * o.side, o.from[3] + k * o.side)
    return p
  end
  function grid.each(f)
    for k = 0, n[3] - 2 do
      for j = 0, n[2] - 2 do
        for i = 0, n[1] - 2 do
          own = block(i // BLOCK, j // BLOCK, k // BLOCK)
          if own then f(i, j, k) end
        end
      end
    end
    own = o.distance
  end
  return grid
end

--- The surface where `distance` is 0 in a box: { vertices =, triangles = }, closed, with normals outward. o: distance, from, to, side (of the
--- cubes of the grid, twice a triangle's edge, m). The box must contain the surface.
function implicit.surface(o)
  local grid, surface, seen = grid_of(o), { vertices = {}, triangles = {} }, {}
  local number, at, value = grid.number, grid.at, grid.value
  grid.each(function(i, j, k)
    local corner, low, high = {}, math.huge, -math.huge
    for b = 0, 7 do
      local p = number(i + b % 2, j + b // 2 % 2, k + b // 4)
      corner[b], low, high = p, math.min(low, value[p]), math.max(high, value[p])
    end
    if low >= 0 or high < 0 then return end
    for _, t in ipairs(KUHN) do
      local four = {}
      for c = 1, 4 do
        local b = t[c]
        four[c] = { corner[b], at(i + b % 2, j + b // 2 % 2, k + b // 4), value[corner[b]] }
      end
      cut(surface, seen, four)
    end
  end)
  for _ = 1, 3 do smooth(surface, grid, o.side, 2) end
  return surface
end

-- The edges of a cube between its corners, as bits of x, y, z.
local EDGES = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 0, 2 }, { 1, 3 }, { 4, 6 }, { 5, 7 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } }

-- Its faces, each by corners in turn.
local FACES = { { 0, 1, 3, 2 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 3, 7, 6 }, { 0, 2, 6, 4 }, { 1, 3, 7, 5 } }

--- Where two opposite corners of a face are inside and the others are not, a surface would touch itself there: the corner that is nearest
--- to the surface changes sides. Returns whether any did.
local function settle(grid)
  local changed, value = false, grid.value
  grid.each(function(i, j, k)
    local p = {}
    for b = 0, 7 do p[b] = grid.number(i + b % 2, j + b // 2 % 2, k + b // 4) end
    for _, face in ipairs(FACES) do
      local a, b, c, d = value[p[face[1]]] < 0, value[p[face[2]]] < 0, value[p[face[3]]] < 0, value[p[face[4]]] < 0
      if a == c and b == d and a ~= b then
        local least = p[face[1]]
        for m = 2, 4 do
          if math.abs(value[p[face[m]]]) < math.abs(value[least]) then least = p[face[m]] end
        end
        value[least], changed = value[least] < 0 and 1e-12 or -1e-12, true
      end
    end
  end)
  return changed
end

--- The mean of where the surface cuts a cube's edges; nil where it does not pass the cube.
local function middle_of_cuts(grid, i, j, k)
  local d, inside = {}, 0
  for b = 0, 7 do
    d[b] = grid.value[grid.number(i + b % 2, j + b // 2 % 2, k + b // 4)]
    if d[b] < 0 then inside = inside + 1 end
  end
  if inside % 8 == 0 then return nil end
  local x, count = { 0, 0, 0 }, 0
  for _, e in ipairs(EDGES) do
    local p, q = e[1], e[2]
    if (d[p] < 0) ~= (d[q] < 0) then
      local t = d[p] / (d[p] - d[q])
      local a, b = { p % 2, p // 2 % 2, p // 4 }, { q % 2, q // 2 % 2, q // 4 }
      for c = 1, 3 do x[c] = x[c] + a[c] + t * (b[c] - a[c]) end
      count = count + 1
    end
  end
  return grid.at(i + x[1] / count, j + x[2] / count, k + x[3] / count)
end

--- Adds the two triangles around an edge of the grid from `cube`'s first corner along axis c, if the surface cuts it.
local function add_around(grid, surface, vertex, cube, c)
  local to, four = { cube[1], cube[2], cube[3] }, {}
  to[c] = to[c] + 1
  local inside = grid.value[grid.number(cube[1], cube[2], cube[3])] < 0
  if inside == (grid.value[grid.number(to[1], to[2], to[3])] < 0) then return end
  for m = 0, 3 do
    local at, p, q = { cube[1], cube[2], cube[3] }, c % 3 + 1, (c + 1) % 3 + 1
    at[p], at[q] = at[p] - ((m == 1 or m == 2) and 1 or 0), at[q] - m // 2
    four[m + 1] = vertex[grid.number(at[1], at[2], at[3])]
  end
  local a, b, d, e = four[1], four[2], four[3], four[4]
  if not inside then b, e = e, b end
  local f = surface.triangles
  f[#f + 1], f[#f + 2] = { a, b, d }, { a, d, e }
end

--- The same surface of fewer and more even triangles: a vertex in each cube that it passes (surface nets, Gibson 1998), about `side` apart.
--- What is thinner than two cubes may be lost.
function implicit.net(o)
  local grid, surface, vertex, cubes = grid_of(o), { vertices = {}, triangles = {} }, {}, {}
  for _ = 1, 10 do if not settle(grid) then break end end
  grid.each(function(i, j, k)
    local x = middle_of_cuts(grid, i, j, k)
    if x then
      surface.vertices[#surface.vertices + 1], cubes[#cubes + 1] = x, { i, j, k }
      vertex[grid.number(i, j, k)] = #surface.vertices - 1
    end
  end)
  for _, cube in ipairs(cubes) do
    for c = 1, 3 do add_around(grid, surface, vertex, cube, c) end
  end
  for _ = 1, 2 do smooth(surface, grid, o.side, 1) end
  return surface
end

return implicit
