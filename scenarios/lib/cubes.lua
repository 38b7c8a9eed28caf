-- Meshes of tetrahedra made of some of the cells of a box.
local cubes = {}

--- The part of the mesh vb.box(box) whose tetrahedra have their middle {x, y, z} where keep(middle) says; vertices that none of them
--- uses are left out.
function cubes.mesh(box, keep)
  local all, mesh, new = vb.box(box), { vertices = {}, tetrahedra = {}, triangles = {} }, {}
  for _, t in ipairs(all.tetrahedra) do
    local middle = { 0, 0, 0 }
    for c = 1, 4 do
      for k = 1, 3 do middle[k] = middle[k] + all.vertices[t[c] + 1][k] / 4 end
    end
    if keep(middle) then
      local corners = {}
      for c = 1, 4 do
        local v = t[c]
        if not new[v] then
          new[v] = #mesh.vertices
          mesh.vertices[new[v] + 1] = all.vertices[v + 1]
        end
        corners[c] = new[v]
      end
      mesh.tetrahedra[#mesh.tetrahedra + 1] = corners
    end
  end
  return mesh
end

return cubes
