-- An open trefoil: Shastri's curve (t^3 - 3 t, t^4 - 4 t^2, t^5 - 10 t), with the last axis along the rope and shorter.
local function knotted(t, size)
  local u = 2.2 * (2 * t - 1)
  return size * (u ^ 3 - 3 * u), size * (u ^ 4 - 4 * u ^ 2), size * 0.4 * (u ^ 5 - 10 * u)
end

local overhand = {}

--- An open knot of the size `size` as the `segments` + 1 ends of segments of equal length; also the length of all.
function overhand.knot(size, segments)
  local points, length, last = {}, { 0 }, nil
  for k = 0, 4000 do
    local x, y, z = knotted(k / 4000, size)
    points[k + 1] = { x, y, z }
    if last then length[k + 1] = length[k] + math.sqrt((x - last[1]) ^ 2 + (y - last[2]) ^ 2 + (z - last[3]) ^ 2) end
    last = points[k + 1]
  end
  local whole, at, list = length[#length], 1, {}
  for i = 0, segments do
    while at < #length and length[at] < whole * i / segments - 1e-12 do at = at + 1 end
    list[i + 1] = points[at]
  end
  return list, whole
end

--- The sum over joints of the square of the curvature times the length `edge`. A joint bends by the angle between its segments: the square of
--- its curvature times length is 4 sin(angle / 2)^2 / l.
function overhand.bends(list, edge)
  local sum = 0
  for i = 2, #list - 1 do
    local a, b, c = list[i - 1], list[i], list[i + 1]
    local u, v = { b[1] - a[1], b[2] - a[2], b[3] - a[3] }, { c[1] - b[1], c[2] - b[2], c[3] - b[3] }
    local cos = (u[1] * v[1] + u[2] * v[2] + u[3] * v[3]) / math.sqrt((u[1] ^ 2 + u[2] ^ 2 + u[3] ^ 2) * (v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2))
    sum = sum + 2 * (1 - cos) / edge
  end
  return sum
end

--- Gates of a scene in which body 0, a rope of the radius `radius`, is such a knot: it stays one. `tight` is what is said of the writhe of the tight one.
function overhand.stays(s, radius, tight)
  s:gate{ name = "penetration", quantity = "penetration", measure = "maximum", at_most = 0.05 * radius, reason = "a twentieth of the radius" }
  s:gate{
    name = "nothing is truncated", quantity = "contact_truncated", measure = "maximum", at_most = 0,
    reason = "turns move against each other by less than their radii in a substep, and contacts hold them",
  }
  s:gate{
    name = "it is a knot", quantity = "ribbon/writhe", body = 0, measure = "minimum", at_least = 2.5,
    reason = "a trefoil of small curvature has three crossings of one sign" .. (tight or "") .. "; a strand that passes another takes 2",
  }
end

return overhand
