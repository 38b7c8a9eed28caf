-- A hundred muscles of 8 to 16 rods, side by side, that contract in turn: the cost of a step of
-- 1200 rods, with and without contact. Sections are bundles.
local spindle, add_muscle = include("spindle"), include("muscle")

local LENGTH, BELLY, ENDS, PITCH = 0.25, 0.020, 0.010, 0.042 -- m
local PERIOD = 1 -- s

local function radius(t) return ENDS + (BELLY - ENDS) * math.sin(math.pi * math.min(t, 1)) ^ 2 end

--- Muscle number k at x, y: contracts in the first half of the period or in the second.
local function add(s, p, k, x, y, drivers)
  local data = spindle{
    path = function(t) return x, y, LENGTH * t end, side = { 1, 0, 0 }, ring = 7 + k % 9, segments = p.segments, radius = radius,
  }
  local half = k % 2 + 1
  local from, middle, to = (half - 1) * PERIOD / 2, (half - 0.5) * PERIOD / 2, half * PERIOD / 2
  local muscle = add_muscle(s, data, {
    E = 3e4, nu = 0.45, density = 1060, name = "muscle" .. k, skin = false,
    activation = { { from, 1, "cubic" }, { middle, p.works, "cubic" }, { to, 1 } },
  })
  local sections = muscle.sections
  s:pin{ nodes = muscle.first, components = "xyzs", segments = sections[1], driver = drivers[3] }
  s:pin{ nodes = muscle.last, components = "xyzs", segments = sections[#sections], driver = drivers[half] }
  if not p.contact then return end
  local group, others = math.floor(x / PITCH + 0.5) % 2 + 2 * (math.floor(y / PITCH + 0.5) % 2), {}
  for g = 0, 3 do if g ~= group then others[#others + 1] = g end end
  for _, rod in ipairs(muscle.rods) do s:filter{ segments = rod.segments, groups = { group }, meets = others } end
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = 0.5, damping = 5 }
  local drivers = {}
  for half = 1, 2 do
    local from, to = (half - 1) * PERIOD / 2, half * PERIOD / 2
    drivers[half] = s:driver{ name = "bones" .. half, z = {
      { from, 0, "cubic" }, { (from + to) / 2, (p.works - 1) * LENGTH, "cubic" }, { to, 0 },
    } }
  end
  drivers[3] = s:driver{ name = "origins" }
  local side = math.ceil(math.sqrt(p.muscles))
  for k = 0, p.muscles - 1 do add(s, p, k, PITCH * (k % side), PITCH * (k // side), drivers) end
  if p.contact then
    s:contact{ friction = 0 }
    s:gate{
      name = "penetration", quantity = "penetration", measure = "maximum", at_most = 0.05 * ENDS / 4, reason = "a twentieth of the least radius",
    }
  end
  s:record{ every = 10, frames = 30, fields = { "position", "scale" } }
  s:bench{ after = 10 }
  s:solver{ iterations = 3, substeps = 8 }
  s:gate{
    name = "volume", quantity = "volume_error/rms", measure = "maximum", at_most = 0.05,
    reason = "nu = 0.45, and three sweeps; a hundredth was seen",
  }
  return s
end

return {
  title = "A hundred muscles of 8 to 16 rods",
  parameters = { muscles = 100, segments = 8, works = 0.85, contact = false },
  ranges = { muscles = { least = 1 }, segments = { least = 4 }, works = { above = 0, most = 1 } },
  build = build,
  runs = function(_, tier)
    local list = {}
    for _, contact in ipairs{ false, true } do
      for _, precision in ipairs(tier == "full" and { "float", "double" } or { "float" }) do
        list[#list + 1] = {
          name = precision .. (contact and ".contact" or ""), label = precision .. (contact and ", in contact" or ", alone"), method = "xpbd",
          precision = precision, tolerance = 0, parameters = { contact = contact },
        }
      end
    end
    return list
  end,
  gold = { runs = { "float", "float.contact" }, steps = 3, frames = 3, parameters = { muscles = 4 } },
}
