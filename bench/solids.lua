-- The timed scene: blocks of stable Neo-Hookean tetrahedra, clamped at one end, pulled by gravity. A step is one
-- iteration of Newton's method: elements and their projection, gathering, factorization, solution.

-- Cells of five tetrahedra. A cube fills the factor most, a bar least.
local blocks = {
  { name = "cube", label = "cube, 5 000", cells = { 10, 10, 10 } },
  { name = "bar", label = "bar, 5 000", cells = { 40, 5, 5 } },
}
local large = { name = "large", label = "cube, 50 820", cells = { 22, 22, 21 } }

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 60, gravity = { 0, 0, -9.81 } }
  local cells = { p.x, p.y, p.z }
  local size = {}
  for c = 1, 3 do size[c] = 0.1 * cells[c] end
  local body = s:mesh{
    mesh = vb.box{ to = size, cells = cells }, material = { E = p.E, nu = p.nu }, density = 1000, name = "block",
  }
  s:pin{ nodes = body.faces.x0 }
  s:record{ every = 10, frames = 60, fields = { "position" } }
  s:bench{ after = 10 }
  s:gate{
    name = "no element inverts", quantity = "dilation_range", component = 1, measure = "minimum", at_least = 0.5,
    reason = "its own weight shears such a block by a tenth or so; one iteration a step must follow that",
  }
  s:solver{ solver = "neohookean", dynamics = "implicit_euler", projection = "always", iterations = 1, tolerance = 0 }
  return s
end

local function runs(p, tier)
  local list = {}
  local function add(block)
    list[#list + 1] = {
      name = block.name, label = block.label,
      parameters = { x = block.cells[1], y = block.cells[2], z = block.cells[3] },
    }
  end
  for _, block in ipairs(blocks) do add(block) end
  if tier == "full" then add(large) end
  return list
end

return {
  title = "One iteration of Newton's method on tetrahedra",
  parameters = { x = 4, y = 4, z = 4, E = 1e6, nu = 0.45 },
  build = build,
  runs = runs,
  gold = { runs = { "bar" }, steps = 3, frames = 3 },
}
