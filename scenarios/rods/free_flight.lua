-- A spinning, stretched octopus without forces: momentum is preserved to rounding.
local octopus = include("octopus")

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.duration }
  local spin = { 1, 2, 3 } -- rad/s
  local drift = { 1.0, -0.5, 2.0 } -- m/s
  local places, velocities = {}, {} -- of the nodes at time 0
  local one = octopus(s, {
    name = "octopus",
    position = function(x, y, z)
      places[#places + 1] = { 1.2 * x, 1.2 * y, 1.1 * z }
      return 1.2 * x, 1.2 * y, 1.1 * z
    end,
    velocity = function(x, y, z)
      local v = {
        drift[1] + spin[2] * z - spin[3] * y, drift[2] + spin[3] * x - spin[1] * z, drift[3] + spin[1] * y - spin[2] * x,
      }
      velocities[#velocities + 1] = v
      return v[1], v[2], v[3]
    end,
    angular_velocity = spin,
  })
  s:record{ every = 1, frames = 2 }
  -- Momentum is exact however far the iteration goes.
  s:solver{ iterations = 10, tolerance = 1e-6 }
  local function mean(list, c)
    local sum, all = 0, 0
    for i, share in ipairs(one.shares) do sum, all = sum + share * list[i][c], all + share end
    return sum / all
  end
  local square = 0
  for c, axis in ipairs{ "x", "y", "z" } do
    local speed = mean(velocities, c)
    square = square + speed ^ 2
    s:gate{
      name = "first momentum along " .. axis, quantity = "momentum", component = axis, measure = "first", near = one.mass * speed,
      tolerance = 1e-12, reason = "of nodes that carry half of their segments; rounding",
    }
    s:gate{
      name = "the head goes along, " .. axis, quantity = "frames/position", node = one.head[1], component = axis, measure = "final",
      near = mean(places, c) + speed * p.duration, tolerance = 0.5, absolute = true,
      reason = "the center of mass goes straight on; the head's first node, which is 0.3 m from it, stays within half a meter",
    }
  end
  s:gate{
    name = "energy of the center of mass", quantity = "energy/kinetic", measure = "minimum", at_least = 0.5 * one.mass * square * (1 - 1e-12),
    reason = "no less than that of the whole mass in its center",
  }
  for _, axis in ipairs{ "x", "y", "z" } do
    s:gate{
      name = "momentum along " .. axis, quantity = "momentum", component = axis, measure = "drift",
      at_most = 1e-9,
      reason = "rounding: the momentum is about 1e4 kg m/s, and its sum over the nodes rounds to 1e-16 "
        .. "of it in each of 60 steps; this is 1e-13 of it",
    }
  end
  return s
end

return {
  title = "Free flight of a spinning octopus",
  keywords = { "quick" },
  parameters = { duration = 1.0 },
  ranges = { duration = { above = 0 } },
  build = build,
  planted = { exempt = { stale = "momentum is kept: that of one step before is the same" } },
  figure = "free_flight",
}
