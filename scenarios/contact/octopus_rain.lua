-- Crowds of 10 to 1000 octopuses (--set most=100000: up to as many) in their first steps, just
-- before and while the lowest meet the ground: growth of the time of a step, and of the search for
-- contacts.
local crowd, fall = include("crowd"), include("fall")

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = p.steps, gravity = { 0, 0, -10 }, damping = 1 }
  local all = crowd(s, p.n, 1, 0)
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  s:contact{ friction = 0.5, self = true }
  s:solver{ method = "xpbd", precision = "float", iterations = 10 }
  s:record{ every = p.steps, frames = p.steps, fields = { "position" } }
  local fallen, speed = fall.euler(10, 1, s.step, p.steps)
  s:gate{
    name = "the lowest stands on the ground", quantity = "frames/position", node = all.foot, component = "z", measure = "final",
    at_least = 0.95 * 0.077,
    reason = string.format("a foot stays its radius above the ground, but for a twentieth of it; freely it would fall by %.2f m", fallen),
  }
  -- The lowest layer meets the ground; those above it still fall freely.
  if p.n > all.low then
    s:gate{
      name = "the highest falls freely", quantity = "frames/position", node = all.root, component = "z", measure = "drift",
      near = fallen, tolerance = p.steps ^ 2 / 2 * (all.height + 1) * 6e-8, absolute = true,
      reason = "implicit Euler's own fall; single precision rounds its height in each step, and velocities carry that on",
    }
    s:gate{
      name = "those above the lowest layer move", quantity = "energy/kinetic", measure = "final",
      at_least = 0.5 * all.mass * speed ^ 2 * (1 - all.low / p.n) * (1 - 1e-5),
      reason = "implicit Euler's own fall of all but the lowest layer; single precision",
    }
  end
  s:gate{
    name = "nothing overlaps", quantity = "penetration", measure = "final", at_most = 1e-3 * 0.077,
    reason = "what just meets the ground is pushed out, but for single precision and what ten iterations leave",
  }
  return s
end

local sizes = { quick = { 10, 100 }, full = { 10, 100, 1000, 10000, 100000 } }

return {
  title = "Octopus rain: cost by number",
  timed = true,
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
  planted = { must = { "no-contact", "slow-time", "double-damping", "noise" } },
  gold = { runs = { "n10" }, steps = 12 },
  figure = "octopus_rain",
}
