-- A spinning, stretched octopus without forces: momentum is kept to rounding.
local octopus = include("octopus")

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.duration }
  local spin = { 1, 2, 3 } -- rad/s
  local drift = { 1.0, -0.5, 2.0 } -- m/s
  octopus(s, {
    name = "octopus",
    position = function(x, y, z) return 1.2 * x, 1.2 * y, 1.1 * z end,
    velocity = function(x, y, z)
      return drift[1] + spin[2] * z - spin[3] * y, drift[2] + spin[3] * x - spin[1] * z,
        drift[3] + spin[1] * y - spin[2] * x
    end,
    angular_velocity = spin,
  })
  s:record{ every = 1, frames = 2 }
  -- Momentum is exact however far the iteration goes.
  s:solver{ iterations = 10, tolerance = 1e-6 }
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
  figure = "free_flight",
}
