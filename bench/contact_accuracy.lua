-- How long a step of 1/60 s of a heap takes to a residual, by each method and number of substeps: the
-- same step with more and more iterations, from one state of octopuses that fell onto each other.
local crowd = include("crowd")

local SUBSTEPS = { 1, 4, 16 }
local METHODS = {
  { name = "block-descent", color = 1 }, { name = "xpbd", color = 2 }, { name = "direct", color = 3 },
}

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = p.after + p.window, gravity = { 0, 0, -10 }, damping = 3 }
  crowd(s, p.n, 1, 0)
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5 }
  s:record{ every = 10, frames = 1, fields = { "position" }, residual = true }
  s:bench{ after = p.after, accuracy = true }
  return s
end

local function runs(p, tier)
  local list, parameters = {}, { n = p.n > 0 and p.n or tier == "full" and 100 or 8, after = p.after, window = p.window }
  local function add(name, label, method, substeps, solve)
    list[#list + 1] = {
      name = string.format("%s-double.s%d", name, substeps),
      label = string.format("%s, %d substep%s", label, substeps, substeps > 1 and "s" or ""),
      method = method, iterations = 10, substeps = substeps, tolerance = 0, parameters = parameters,
      contact_solve = solve,
    }
  end
  for _, method in ipairs(METHODS) do
    for _, substeps in ipairs(SUBSTEPS) do add(method.name, method.name, method.name, substeps) end
  end
  if p.newton then add("newton", "direct, contact_solve=newton", "direct", 1, "newton") end
  return list
end

return {
  title = "Time of a step of a heap to a residual",
  keywords = { "contact" },
  parameters = {
    n = 0, -- octopuses; 0: 8 in the quick size, 100 in the full one
    after = 420, -- steps before, in which they fall onto each other
    window = 4,
    newton = false, -- Newton's method in contact, too, which takes minutes to the steps that are timed
  },
  ranges = { n = { least = 0 }, after = { least = 0 }, window = { least = 1 } },
  build = build,
  runs = runs,
  gold = { runs = { "block-descent-double.s4" }, parameters = { n = 2, after = 6, window = 4 } },
}
