-- Force of a muscle as a chain of slices, each a straight bar of its section with the same force:
-- the limit of rods and tetrahedra if sections stay plane and nothing holds them sideways. All in
-- SI units.
-- SPDX-License-Identifier: GPL-3.0-or-later

local elastic = include("neohookean_forms")

local chain = {}

--- Nominal stress of a bar of rods at stretch `l` and activation `a`: the scale is the root of
--- (kx + ky) (s - a^(-1/2)) + 2 kv s l (s^2 l - 1) = 0, and the stress kz (l - a) + kv s^2 (s^2 l - 1).
function chain.rods(E, nu, l, a)
  local k, kv = E / (1 + nu), E * nu / ((1 + nu) * (1 - 2 * nu))
  local low, high = 0.1, 4
  for _ = 1, 60 do
    local s = (low + high) / 2
    if 2 * k * (s - 1 / math.sqrt(a)) + 2 * kv * s * l * (s ^ 2 * l - 1) > 0 then high = s else low = s end
  end
  local s = (low + high) / 2
  return k * (l - a) + kv * s ^ 2 * (s ^ 2 * l - 1)
end

--- The same of stable Neo-Hookean tetrahedra, whose elastic stretch is l / a.
function chain.solid(E, nu, l, a)
  local _, stress = elastic.stretched(E, nu, l / a)
  return stress / a
end

--- The force of equally thick slices of sections `areas` (a list, m^2) whose mean stretch is `stretch`. `law` is
--- one of the two functions above; its stress rises with the stretch, and is interpolated from steps of 0.01.
function chain.force(law, E, nu, areas, stretch, a)
  local first, stress = 0.5, {}
  for i = 0, 150 do stress[i] = law(E, nu, first + 0.01 * i, a) end
  local function stretch_at(wanted)
    local i = 0
    while i < 149 and stress[i + 1] < wanted do i = i + 1 end
    return first + 0.01 * (i + (wanted - stress[i]) / (stress[i + 1] - stress[i]))
  end
  local low, high = stress[0] * areas[1], stress[150] * areas[1]
  for _ = 1, 50 do
    local force, mean = (low + high) / 2, 0
    for _, area in ipairs(areas) do mean = mean + stretch_at(force / area) / #areas end
    if mean > stretch then high = force else low = force end
  end
  return low
end

--- The stretches of such slices, each with its own activation (a list).
function chain.stretches(law, E, nu, areas, stretch, activations)
  local function stretch_at(stress, a)
    local low, high = 0.3, 2
    for _ = 1, 40 do
      local l = (low + high) / 2
      if law(E, nu, l, a) > stress then high = l else low = l end
    end
    return low
  end
  local low, high, list = -E * areas[1], E * areas[1], {}
  for _ = 1, 40 do
    local force, mean = (low + high) / 2, 0
    for i, area in ipairs(areas) do
      list[i] = stretch_at(force / area, activations[i])
      mean = mean + list[i] / #areas
    end
    if mean > stretch then high = force else low = force end
  end
  return list
end

return chain
