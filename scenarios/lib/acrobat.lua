-- A figure of cubes, stretched out along x from its hands at x = 0 to its soles, with nine bones: the body of the study silk.
local cubes, fall = include("cubes"), include("fall")
local acrobat = {}

local SIDE = 0.05 -- of the cubes that it is made of, m

-- Parts as ranges of cubes along x (from the hands), y (across) and z (thick), which each bone leaves a cube's width around itself.
local PARTS = {
  { { 0, 12 }, { 0, 3 } }, { { 0, 12 }, { 7, 10 } }, -- arms
  { { 7, 12 }, { 4, 6 } }, -- head
  { { 12, 24 }, { 0, 10 } }, -- trunk
  { { 24, 40 }, { 1, 4 } }, { { 24, 40 }, { 6, 9 } }, -- legs
}
local BONES = {
  { "trunk", { 13, 23 }, { 1, 9 } },
  { "left upper arm", { 7, 11 }, { 1, 2 } }, { "right upper arm", { 7, 11 }, { 8, 9 } },
  { "left forearm", { 1, 6 }, { 1, 2 } }, { "right forearm", { 1, 6 }, { 8, 9 } },
  { "left thigh", { 25, 31 }, { 2, 3 } }, { "right thigh", { 25, 31 }, { 7, 8 } },
  { "left shank", { 32, 39 }, { 2, 3 } }, { "right shank", { 32, 39 }, { 7, 8 } },
}
-- Each joint: two bones by number, where along x and y.
local JOINTS = {
  { "left shoulder", 2, 1, 12, 1.5 }, { "right shoulder", 3, 1, 12, 8.5 },
  { "left elbow", 4, 2, 6.5, 1.5 }, { "right elbow", 5, 3, 6.5, 8.5 },
  { "left hip", 6, 1, 24, 2.5 }, { "right hip", 7, 1, 24, 7.5 },
  { "left knee", 8, 6, 31.5, 2.5 }, { "right knee", 9, 7, 31.5, 7.5 },
}
local GRIPS = { { "left grip", 4, 1.5 }, { "right grip", 5, 8.5 } }

local function place(along, across) return { SIDE * along, SIDE * (across - 5), 0 } end

local function within(x, along, across, slack)
  local a, b = x[1] / SIDE, x[2] / SIDE + 5
  return a > along[1] - slack and a < along[2] + slack and b > across[1] - slack and b < across[2] + slack
end

--- The mesh of the parts: cubes divided into `fine`^3 cells.
local function mesh_of(fine)
  local box = {
    from = { 0, -5 * SIDE, -1.5 * SIDE }, to = { 40 * SIDE, 5 * SIDE, 1.5 * SIDE }, cells = { 40 * fine, 10 * fine, 3 * fine },
  }
  return cubes.mesh(box, function(middle)
    local inside = false
    for _, part in ipairs(PARTS) do inside = inside or within(middle, part[1], part[2], 0) end
    return inside
  end)
end

--- Vertices for measuring its length: of the left hand, of the end of the left shank, of the left sole.
local function marks_of(mesh)
  local function at(along, across) -- on an edge of a bone, above the middle
    return vb.vertices_at{ mesh = mesh, x = SIDE * along, y = SIDE * (across - 5), z = SIDE / 2, tolerance = 1e-6 }[1]
  end
  return { grip = at(0, 1), ankle = at(39, 3), sole = at(40, 3) }
end

--- Length of the chain of the left side, from the joint of the grip over elbow, shoulder, hip and knee to the mark of the ankle [m].
local function reach()
  local chain = {
    place(0, 1.5), place(6.5, 1.5), place(12, 1.5), place(24, 2.5), place(31.5, 2.5), { SIDE * 39, SIDE * (3 - 5), SIDE / 2 },
  }
  local sum = 0
  for k = 2, #chain do
    local a, b = chain[k - 1], chain[k]
    sum = sum + math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
  end
  return sum
end

--- Adds the figure, which hangs by its hands, to a scene. Options: E, nu; fine, cells along a cube; bones = false for only flesh;
--- loose = true for free hands.
--- Returns `mass`, `marks` at the `height` [m], `joints`, `bones`, and `reach`, the greatest distance from grip to ankle if bones are linked.
function acrobat.add(s, o)
  local mesh = mesh_of(o.fine)
  local body = s:mesh{ mesh = mesh, material = { E = o.E, nu = o.nu }, density = 1000, name = "acrobat" }
  if not o.loose then s:pin{ nodes = vb.vertices_at{ mesh = mesh, x = 0 } } end
  local result = {
    mass = fall.mass(mesh, 1000), marks = marks_of(mesh), height = SIDE / 2, joints = {}, bones = {},
    reach = reach() + math.sqrt(2) * SIDE / 2, -- from the grip's mark to its joint
  }
  if o.bones == false then return result end
  for k, bone in ipairs(BONES) do
    local list = {}
    for i, x in ipairs(mesh.vertices) do
      if within(x, bone[2], bone[3], 1e-6) and math.abs(x[3]) < (0.5 + 1e-6) * SIDE then list[#list + 1] = i - 1 end
    end
    result.bones[k] = s:bone{ name = bone[1], nodes = list }
  end
  for k, j in ipairs(JOINTS) do
    local hinge = k == 3 or k == 4 or k > 6 -- elbows and knees
    result.joints[k] = s:link{
      name = j[1], kind = hinge and "hinge" or "ball", axis = hinge and { 0, 1, 0 } or nil,
      bones = { result.bones[j[2]], result.bones[j[3]] }, at = place(j[4], j[5]),
    }
  end
  for _, g in ipairs(o.loose and {} or GRIPS) do s:link{ name = g[1], kind = "ball", bones = { result.bones[g[2]] }, at = place(0, g[3]) } end
  return result
end

return acrobat
