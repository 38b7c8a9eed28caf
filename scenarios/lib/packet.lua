-- A packet of longitudinal waves on a uniform straight rod along z, as a sum of plane waves that travel
-- upwards, small enough for each to be a mode of the discrete rod. All in SI units.
-- SPDX-License-Identifier: GPL-3.0-or-later
local packet = {}

--- The waves of a Gaussian packet of width p.packet (m), wave number p.k and amplitude p.amplitude of
--- the displacement's gradient, on nodes `l` apart: a list of { k =, kap =, w =, ratio =, a = }.
--- `wave(k)` returns angular frequency and the scale's amplitude over the gradient's.
function packet.waves(p, l, wave)
  local list, width, sum = {}, 1 / p.packet, 0
  for i = -40, 40 do
    local k = p.k + i / 10 * width
    if k > 0 then
      local w, ratio = wave(k)
      local weight = math.exp(-0.5 * (i / 10) ^ 2)
      sum = sum + weight
      list[#list + 1] = { k = k, kap = 2 / l * math.sin(k * l / 2), w = w, ratio = ratio, a = weight }
    end
  end
  for _, wave_of in ipairs(list) do wave_of.a = p.amplitude * wave_of.a / sum end
  return list
end

--- What s:rod takes for a packet around z = p.from at time 0, on a rod of length p.length from z = 0.
function packet.start(p, list)
  local function sum(t, part)
    local z, total = t * p.length - p.from, 0
    for _, wave in ipairs(list) do total = total + part(wave, wave.k * z) end
    return total
  end
  return {
    position = function(t, x, y, z)
      return x, y, z + sum(t, function(v, phase) return v.a / v.kap * math.sin(phase) end)
    end,
    velocity = function(t)
      return 0, 0, sum(t, function(v, phase) return -v.w * v.a / v.kap * math.cos(phase) end)
    end,
    scale = function(t)
      return 1 + sum(t, function(v, phase) return v.a * v.ratio * math.cos(phase) end)
    end,
    scale_rate = function(t)
      return sum(t, function(v, phase) return v.w * v.a * v.ratio * math.sin(phase) end)
    end,
  }
end

--- The scale's distance from 1 at the distance `z` from p.from after n steps of length h: implicit
--- Euler turns a plane wave by atan(w h) and shrinks it by (1 + w^2 h^2)^(-1/2) in each.
function packet.scale_at(list, z, h, n)
  local total = 0
  for _, v in ipairs(list) do
    total = total + v.a * v.ratio * (1 + (v.w * h) ^ 2) ^ (-n / 2) * math.cos(v.k * z - n * math.atan(v.w * h))
  end
  return total
end

return packet
