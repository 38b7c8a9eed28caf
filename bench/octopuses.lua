-- Octopuses that spin and drift freely, 266 degrees of freedom each: the paper's crowd without
-- contact. It measures the speed of a device on a small scene.
local octopus = include("octopus")

-- Ten sweeps a step, a choice of ours: the paper prints no iteration count. None ends early (tolerance 0). Direct
-- gets two iterations.
local function settings(tier)
  local list = {}
  for _, method in ipairs{ "xpbd", "block-descent", "jacobi-published", "direct" } do
    local short = ({ ["block-descent"] = "block", ["jacobi-published"] = "jacobi" })[method] or method
    for _, arithmetic in ipairs(tier == "full" and { "fast", "strict" } or { "fast" }) do
      list[#list + 1] = {
        name = short .. "-float" .. (arithmetic == "fast" and "-fast" or ""), method = method, precision = "float",
        arithmetic = arithmetic, iterations = method == "direct" and 2 or 10,
      }
    end
  end
  return list
end

local function add_octopus(s, x0, y0, turn)
  local spin, drift = { 1, 2, 3 }, { 1.0, -0.5, 2.0 } -- rad/s, m/s
  octopus(s, {
    origin = { x0, y0, 0 }, turn = turn,
    position = function(x, y, z) return x0 + 1.1 * (x - x0), y0 + 1.1 * (y - y0), 1.1 * z end,
    velocity = function(x, y, z)
      x, y = x - x0, y - y0
      return drift[1] + spin[2] * z - spin[3] * y, drift[2] + spin[3] * x - spin[1] * z,
        drift[3] + spin[1] * y - spin[2] * x
    end,
    angular_velocity = spin,
  })
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 60 }
  local side = math.ceil(math.sqrt(p.octopuses))
  for k = 0, p.octopuses - 1 do
    add_octopus(s, 5 * (k % side), 5 * (k // side), k)
  end
  s:record{ every = 10, frames = 60, fields = { "position" } }
  s:bench{ after = 30, accuracy = true }
  s:gate{
    name = "volume", quantity = "volume_error/rms", measure = "maximum", from = 0.5, at_most = 0.02,
    finding = p.published,
    reason = "spinning stretches segments by up to 0.19 (rms): at nu = 0.45 their volume then changes by 1 - 2 nu of that. "
      .. "Ten sweeps as published leave more",
  }
  return s
end

local function runs(p, tier)
  local list = {}
  for _, setting in ipairs(settings(tier)) do
    for _, octopuses in ipairs(tier == "full" and { 100, 1000 } or { p.octopuses }) do
      local run = { label = setting.name, tolerance = 0, parameters = {
        octopuses = octopuses, published = setting.method == "jacobi-published",
      } }
      for key, value in pairs(setting) do run[key] = value end
      run.name = setting.name .. "." .. octopuses
      list[#list + 1] = run
    end
  end
  return list
end

return {
  title = "Octopuses in free flight, without contact",
  parameters = { octopuses = 100, published = false },
  build = build,
  runs = runs,
  gold = { parameters = { octopuses = 2 } },
}
