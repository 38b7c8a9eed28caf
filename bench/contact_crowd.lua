-- A hundred octopuses in a heap (figure 7): a step that finds and solves all contacts, after they
-- fell onto each other. Ten iterations in one substep, and in each of the four substeps of the
-- study octopus_crowd; also with skins. Damping limits their speed to 3.3 m/s, at which whole steps
-- still detect contacts.
local crowd = include("crowd")

local foot = 0.077 -- the least radius, m

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = p.after + p.window, gravity = { 0, 0, -10 }, damping = 3 }
  crowd(s, p.n, 1, 0, p.faces > 0 and { skin = p.faces, loop = false } or nil)
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5 }
  s:record{ every = 10, frames = 60, fields = { "position" } }
  s:bench{ after = p.after, skins = p.faces > 0 }
  s:gate{
    name = "penetration", quantity = "penetration", measure = "maximum", from = p.after / 60, at_most = 0.5 * foot,
    finding = p.substeps == 1,
    reason = "half the least radius while the heap still moves. Ten iterations of a whole step do not carry its weight: "
      .. "substeps do",
  }
  return s
end

local function runs(p, tier)
  local list = {}
  for _, method in ipairs(tier == "full" and { "xpbd", "block-descent", "direct" } or { "xpbd", "block-descent" }) do
    for _, substeps in ipairs{ 1, 4 } do
      list[#list + 1] = {
        name = string.format("%s-float-fast.s%d", method, substeps), label = method, method = method,
        precision = "float", arithmetic = "fast", iterations = 10, substeps = substeps, tolerance = 0,
        parameters = {
          n = p.n, after = p.after > 0 and p.after or tier == "full" and 900 or 420, window = p.window,
          substeps = substeps,
        },
      }
    end
  end
  -- As the paper's crowd is: 37 pills each, and skins that each step moves.
  list[#list + 1] = {
    name = "xpbd-float-fast.s4.skins", label = "xpbd, skins moved", method = "xpbd", precision = "float", arithmetic = "fast",
    iterations = 10, substeps = 4, tolerance = 0,
    parameters = {
      n = p.n, after = p.after > 0 and p.after or tier == "full" and 900 or 420, window = p.window, substeps = 4,
      faces = tier == "full" and 13000 or 4000,
    },
  }
  return list
end

return {
  title = "A heap of octopuses, in contact",
  parameters = {
    n = 100,
    after = 0, -- steps before those that are timed: 900 in the full size, 420 in the quick one
    window = 30, substeps = 1,
    faces = 0, -- of each skin that a step moves; 0: none
  },
  build = build,
  runs = runs,
  gold = { runs = { "xpbd-float-fast.s1", "xpbd-float-fast.s4" }, parameters = { n = 2, after = 6, window = 6 } },
}
