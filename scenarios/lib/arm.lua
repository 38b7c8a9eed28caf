-- An arm of flesh along x, held at its end x = 0, with two bones inside: the body of the studies bone_lock and articulated_arm.
local arm = {}

arm.length, arm.thick = 1.2, 0.4

--- Nodes of a mesh of `cells` cells whose x is from low to high, one cell inside of the sides.
local function inside(mesh, cells, low, high)
  local list, cell = {}, arm.thick / cells[2]
  local least, most = cell - 1e-9, arm.thick - cell + 1e-9
  for i, x in ipairs(mesh.vertices) do
    if x[1] > low - 1e-9 and x[1] < high + 1e-9 and x[2] > least and x[2] < most and x[3] > least and x[3] < most then
      list[#list + 1] = i - 1
    end
  end
  return list
end

--- Adds the arm to a scene. Options: E, nu; cells; bones = false for only flesh; link, a kind or nil; drivers, the two that move
--- the bones; rate, the initial angular velocity of the part beyond the elbow, downward [rad/s].
function arm.add(s, o)
  local cells = o.cells or { 12, 4, 4 }
  local mesh = vb.box{ to = { arm.length, arm.thick, arm.thick }, cells = cells }
  local body = s:mesh{
    mesh = mesh, material = { E = o.E, nu = o.nu }, density = 1000, name = "arm",
    velocity = o.rate and function(x) return 0, 0, -o.rate * math.max(0, x - 0.6) end or nil,
  }
  local result = { body = body, mesh = mesh, held = s:pin{ nodes = body.faces.x0 } }
  local upper, fore = inside(mesh, cells, 0.1, 0.5), inside(mesh, cells, 0.7, 1.1)
  result.upper_nodes, result.fore_nodes = upper, fore
  if o.drivers then
    s:pin{ nodes = upper, driver = o.drivers[1] }
    s:pin{ nodes = fore, driver = o.drivers[2] }
  elseif o.bones ~= false then
    result.upper = s:bone{ name = "upper", nodes = upper }
    result.fore = s:bone{
      name = "fore", nodes = fore, velocity = { 0, 0, -0.3 * (o.rate or 0) }, angular_velocity = { 0, o.rate or 0, 0 },
    }
    if o.link then
      result.elbow = s:link{
        name = "elbow", kind = o.link, bones = { result.fore, result.upper }, at = { 0.6, arm.thick / 2, arm.thick / 2 },
        axis = o.link == "hinge" and { 0, 1, 0 } or nil,
      }
    end
  end
  return result
end

return arm
