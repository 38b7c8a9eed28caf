-- Crowds of ten to 1000 octopuses (with --set most=100000 of up to as many) in their first steps, just before and as the lowest meet the ground:
-- how the time of a step and of finding contacts grows.
local crowd = include("crowd")

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = p.steps, gravity = { 0, 0, -10 }, damping = 1 }
  crowd(s, p.n, 1, 0)
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5 }
  s:solver{ method = "xpbd", precision = "float", iterations = 10 }
  s:record{ every = p.steps, frames = p.steps, fields = {} }
  s:gate{
    name = "nothing overlaps", quantity = "penetration", measure = "final", at_most = 0.05 * 0.077,
    reason = "a twentieth of the least radius",
  }
  return s
end

local sizes = { quick = { 10, 100 }, full = { 10, 100, 1000, 10000, 100000 } }

return {
  title = "Octopus rain: cost by number",
  keywords = { "contact" },
  parameters = { n = 100, steps = 20, most = 1000 },
  ranges = { n = { least = 1 }, steps = { least = 1 }, most = { least = 1 } },
  build = build,
  runs = function(p, tier)
    local list = {}
    for _, n in ipairs(sizes[tier]) do
      if n <= p.most then
        list[#list + 1] = { name = string.format("n%d", n), label = n .. " octopuses", parameters = { n = n } }
      end
    end
    return list
  end,
  gold = { runs = { "n10" }, steps = 12 },
  figure = "octopus_rain",
}
