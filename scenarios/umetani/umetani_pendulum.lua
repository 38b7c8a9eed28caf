-- A pendulum with a cube (fig. 8 of the paper on position-based rods): a rod of 20 edges hangs from
-- one point, and its last segment, short and heavy, is the cube. It is released at a small angle,
-- or sideways. At small angles its period is that of a rigid pendulum with the inertia of the
-- points. Ghosts, at an angle to the plane of the large swing, have half of the mass off the axis:
-- they roll a rod with large swings, and move it out of the plane, however their weight is treated.
local edges, side, radius = 20, 0.1, 0.01
local length = 1

local function build(p)
  local s = vb.scene{ step = 1 / 240, duration = p.far and 6 or 8, gravity = { 0, 0, -9.81 } }
  local nodes, lean = {}, p.far and math.pi / 2 or 0.05
  for i = 1, edges + 2 do
    local down = i <= edges + 1 and length * (i - 1) / edges or length + side
    nodes[i] = s:node{ position = { down * math.sin(lean), 0, -down * math.cos(lean) }, radius = radius }
  end
  local material = { E = 1e7, nu = 0 }
  local hang, turning = 0, 0 -- of mass times distance from the point, of mass times its square
  local y, z = (math.pi - lean) / 2, p.far and math.pi / 8 or 0 -- e_z to the rod, and u out of the plane by a quarter of pi
  local frame = { math.cos(y) * math.cos(z), math.sin(y) * math.sin(z), math.sin(y) * math.cos(z), math.cos(y) * math.sin(z) }
  for i = 1, edges + 1 do
    local l = i <= edges and length / edges or side
    -- The cube is a pill of the rod's radius, and as heavy as the cube.
    local area = math.pi * radius ^ 2
    local part = i <= edges and 1 or side ^ 2 / area
    s:segment{ nodes = { nodes[i], nodes[i + 1] }, density = 1000 * part, material = material, frame = frame }
    -- Half of a segment's mass is at either end, or at its ghost beside the middle.
    local m, top = 1000 * part * area * l, i <= edges and (i - 1) * l or length
    local ghost = p.method == "viper" and 0 or 0.5
    hang = hang + m * (top + l / 2)
    turning = turning + m * ((1 - ghost) * (top ^ 2 + (top + l) ^ 2) / 2 + ghost * (top + l / 2) ^ 2)
  end
  s:pin{ node = nodes[1], components = "xyz" }
  s:record{ every = 2, frames = 2, fields = { "position" } }
  if p.method ~= "viper" then
    s:solver{ solver = "umetani", method = p.method, iterations = 40, ghost_gravity = p.weight }
  end
  if p.far then
    s:gate{
      name = "stays in its plane", quantity = "frames/position", node = edges + 1, component = "y", measure = "maximum_abs",
      at_most = 0.02, reason = "gravity and motion lie in the plane; rolled ghosts pull the cube out of it",
      finding = p.method ~= "viper",
    }
    return s
  end
  s:gate{
    name = "energy of gravity at the start", quantity = "energy/gravity", measure = "first",
    near = -9.81 * hang * math.cos(lean), tolerance = 1e-10,
    reason = "m g z of what was built: rounding, 1e-16 for each of some 1e2 sums",
  }
  local lost = p.weight == "full" or p.weight == "none" -- ghosts' weight beside the axis, or no weight
  s:gate{
    name = "period", quantity = "frames/position", node = edges + 1, component = "x", measure = "frequency",
    near = math.sqrt(9.81 * hang / turning), tolerance = 0.02,
    reason = "a rigid pendulum of the points' inertia; the rod bends where it joins the cube", finding = lost,
  }
  if p.weight == "none" then return s end
  s:gate{
    name = "falls until the rod pulls", quantity = "frames/position", node = edges + 1, component = "z", measure = "value",
    at = 2 / 240, origin = -(length + side) * math.cos(lean), near = -3 * 9.81 / 240 ^ 2, tolerance = 0.1,
    reason = "two steps of implicit Euler from rest, by one and two times g h^2; the rod keeps the cube back by 5 %, at 51 rad/s",
  }
  return s
end

local function runs()
  local list = {}
  for _, far in ipairs{ false, true } do
    local head = far and "far" or "small"
    for _, weight in ipairs{ "redistributed", "full", "none" } do
      list[#list + 1] = {
        name = head .. "-" .. weight, label = "pbd, " .. weight, parameters = { far = far, weight = weight },
      }
    end
    list[#list + 1] = { name = head .. "-xpbd", label = "xpbd", parameters = { far = far, method = "xpbd" } }
    list[#list + 1] = {
      name = head .. "-viper", label = "viper", parameters = { far = far, method = "viper" },
      solver = "viper", method = "direct", iterations = 20,
    }
  end
  return list
end

return {
  title = "A pendulum of position-based rods with a cube",
  parameters = { far = false, weight = "redistributed", method = "pbd" },
  build = build,
  runs = runs,
  planted = { must = { "slow-time" } },
  gold = { steps = 20, frames = 20, runs = { "far-redistributed", "small-xpbd" } },
  figure = "umetani_pendulum",
}
