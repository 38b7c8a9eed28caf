-- Closed surfaces of bodies that are given by a distance: round cones, blended into each other.
-- SPDX-License-Identifier: GPL-3.0-or-later
local implicit = {}

--- The distance from a round cone: from point a with radius ra to point b with radius rb; negative inside. Exact where ra = rb.
function implicit.cone(a, b, ra, rb)
  local d = { b[1] - a[1], b[2] - a[2], b[3] - a[3] }
  local square = math.max(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2, 1e-30)
  return function(x, y, z)
    local u, v, w = x - a[1], y - a[2], z - a[3]
    local t = math.max(0, math.min(1, (u * d[1] + v * d[2] + w * d[3]) / square))
    u, v, w = u - t * d[1], v - t * d[2], w - t * d[3]
    return math.sqrt(u * u + v * v + w * w) - ra - t * (rb - ra)
  end
end

--- The least of several distances, with rounded transitions of width `width` [m] (a quadratic blend of two at a time).
function implicit.blend(width, parts)
  return function(x, y, z)
    local all = math.huge
    for _, part in ipairs(parts) do
      local own = part(x, y, z)
      local h = math.max(0, width - math.abs(all - own)) / width
      all = math.min(all, own) - h * h * width / 4
    end
    return all
  end
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

--- Moves each vertex to the middle of its neighbors, then to the surface, by short steps so that it does not cross itself.
local function smooth(surface, distance, h)
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
    for _ = 1, 2 do
      local d, e = distance(x[1], x[2], x[3]), 0.01 * h
      local g = {
        (distance(x[1] + e, x[2], x[3]) - d) / e, (distance(x[1], x[2] + e, x[3]) - d) / e, (distance(x[1], x[2], x[3] + e) - d) / e,
      }
      local step = math.max(-0.2 * h, math.min(0.2 * h, d)) / math.max(0.25, g[1] ^ 2 + g[2] ^ 2 + g[3] ^ 2)
      for c = 1, 3 do x[c] = x[c] - step * g[c] end
    end
  end
end

--- The surface where `distance` is 0 in a box: { vertices =, triangles = }, closed, with normals outward. o: distance, from, to, side (of the
--- cubes of the grid, about a triangle's edge, m). The box must contain the surface.
function implicit.surface(o)
  local n, surface, seen, value = {}, { vertices = {}, triangles = {} }, {}, {}
  for c = 1, 3 do n[c] = math.ceil((o.to[c] - o.from[c]) / o.side) + 1 end
  local function number(i, j, k) return (k * n[2] + j) * n[1] + i end
  local function at(i, j, k) return { o.from[1] + i * o.side, o.from[2] + j * o.side, o.from[3] + k * o.side } end
  for k = 0, n[3] - 1 do
    for j = 0, n[2] - 1 do
      for i = 0, n[1] - 1 do
        local x = at(i, j, k)
        value[number(i, j, k)] = o.distance(x[1], x[2], x[3])
      end
    end
  end
  for k = 0, n[3] - 2 do
    for j = 0, n[2] - 2 do
      for i = 0, n[1] - 2 do
        local corner, low, high = {}, math.huge, -math.huge
        for b = 0, 7 do
          local p = number(i + b % 2, j + b // 2 % 2, k + b // 4)
          corner[b], low, high = p, math.min(low, value[p]), math.max(high, value[p])
        end
        if low < 0 and high >= 0 then
          for _, t in ipairs(KUHN) do
            local four = {}
            for c = 1, 4 do
              local b = t[c]
              four[c] = { corner[b], at(i + b % 2, j + b // 2 % 2, k + b // 4), value[corner[b]] }
            end
            cut(surface, seen, four)
          end
        end
      end
    end
  end
  for _ = 1, 3 do smooth(surface, o.distance, o.side) end
  return surface
end

return implicit
