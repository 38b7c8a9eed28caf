-- Closed surfaces of muscles, as tables of vertices and triangles. Meters; along x.
-- SPDX-License-Identifier: GPL-3.0-or-later

--- A tube of `around` x `along` quadrangles, with flat ends: `radius(t)` and `place(t, y, z)`, the point of its section.
local function tube(around, along, radius, place)
  local mesh = { vertices = {}, triangles = {} }
  local v, f = mesh.vertices, mesh.triangles
  for i = 0, along do
    for k = 0, around - 1 do
      local a, r = 2 * math.pi * k / around, radius(i / along)
      v[#v + 1] = place(i / along, r * math.cos(a), r * math.sin(a))
    end
  end
  for i = 0, along - 1 do
    for k = 0, around - 1 do
      local a, b = i * around + k, i * around + (k + 1) % around
      f[#f + 1] = { a, b, a + around }
      f[#f + 1] = { b, b + around, a + around }
    end
  end
  v[#v + 1], v[#v + 2] = place(0, 0, 0), place(1, 0, 0)
  local center, last = #v - 2, along * around
  for k = 0, around - 1 do
    f[#f + 1] = { center, (k + 1) % around, k }
    f[#f + 1] = { center + 1, last + k, last + (k + 1) % around }
  end
  return mesh
end

--- For each shape, the radius of a section and the positions of its points.
local forms = {}

local function swelling(o)
  return function(t) return o.end_radius + (o.radius - o.end_radius) * math.sin(math.pi * t) ^ 2 end
end

--- A spindle, such as a biceps: thickest in the middle.
function forms.fusiform(o)
  return swelling(o), function(t, y, z) return { o.length * t, y, z } end
end

--- A tube bent by `bend` rad in the plane of x and y.
function forms.tube(o)
  local r = o.length / o.bend
  return function() return o.radius end, function(t, y, z)
    return { (r + y) * math.sin(o.bend * t), (r + y) * math.cos(o.bend * t) - r, z }
  end
end

--- A flat fan, such as the pectoral: from `width` at x = 0 to `end_width`, everywhere `thickness` thick.
function forms.fan(o)
  return function() return 0.5 end, function(t, y, z)
    return { o.length * t, y * (o.width + (o.end_width - o.width) * t), z * o.thickness }
  end
end

--- A spindle whose fibers run obliquely between its ends, as in the deltoid: these lean by `slope`, the tangent of an angle.
function forms.pennate(o)
  return swelling(o), function(t, y, z) return { o.length * t + o.slope * y, y, z } end
end

local shapes = {}

for name, form in pairs(forms) do
  shapes[name] = function(o) return tube(o.around or 16, o.along or 20, form(o)) end
end

--- The same shapes as tetrahedra: `across` x `across` cells in a section, `along` sections of cells; with the
--- vertices at either end, `source` and `sink`, as vb.viperize takes them. A square becomes a disc of the same cells.
function shapes.solid(name, o)
  if name == "branching" then return shapes.branching(o) end
  local radius, place = forms[name](o)
  local mesh = vb.box{ from = { 0, -1, -1 }, to = { 1, 1, 1 }, cells = { o.along, o.across, o.across } }
  for i, x in ipairs(mesh.vertices) do
    local t, y, z = x[1], x[2], x[3]
    local r = radius(t)
    mesh.vertices[i] = place(t, r * y * math.sqrt(1 - z * z / 2), r * z * math.sqrt(1 - y * y / 2))
  end
  local source, sink = mesh.faces.x0, mesh.faces.x1
  mesh.faces = nil
  return mesh, source, sink
end

--- A flat muscle of two heads, as tetrahedra, with `source` and `sink`: from the middle of its length on its middle third
--- is missing. `fine` times as many cells as usual lie along each edge.
function shapes.branching(o)
  local fine = o.fine or 1
  local box = vb.box{ to = { o.length, o.width, o.thickness }, cells = { 8 * fine, 6 * fine, 2 * fine } }
  local mesh, number = { vertices = {}, tetrahedra = {} }, {}
  local function take(i)
    if not number[i] then
      number[i] = #mesh.vertices
      mesh.vertices[number[i] + 1] = box.vertices[i + 1]
    end
    return number[i]
  end
  for _, t in ipairs(box.tetrahedra) do
    local x, y = 0, 0
    for _, i in ipairs(t) do
      local v = box.vertices[i + 1]
      x, y = x + v[1] / 4, y + v[2] / 4
    end
    if x < o.length / 2 or math.abs(y / o.width - 0.5) > 1 / 6 then
      mesh.tetrahedra[#mesh.tetrahedra + 1] = { take(t[1]), take(t[2]), take(t[3]), take(t[4]) }
    end
  end
  local source = vb.vertices_at{ mesh = mesh, x = 0 }
  return mesh, source, vb.vertices_at{ mesh = mesh, x = o.length }
end

--- The surface of a tube, for muscles along other paths: see `tube` above.
shapes.surface = tube

--- Volume in a closed surface whose triangles turn outward, in m^3.
function shapes.volume(mesh)
  local sum, v = 0, mesh.vertices
  for _, t in ipairs(mesh.triangles) do
    local a, b, c = v[t[1] + 1], v[t[2] + 1], v[t[3] + 1]
    sum = sum + a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3]) + a[3] * (b[1] * c[2] - b[2] * c[1])
  end
  return sum / 6
end

return shapes
