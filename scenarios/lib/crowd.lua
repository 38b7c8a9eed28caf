-- A crowd of octopuses on a jittered lattice above the ground, as dense as in the demo of the code that the
-- authors published (github.com/vcg-uvic/viper; the paper gives no size): a hundred
-- in 20 x 20 x 20 m.
-- SPDX-License-Identifier: GPL-3.0-or-later
local octopus = include("octopus")

local least = { 4.1, 2.7 } -- room that an octopus needs across and in height, m
local low = 0.75 -- height of an octopus' center over its lowest point, m

-- Colors of skins, of which octopuses beside and above each other have different ones.
local skins = {
  { 0.80, 0.33, 0.25 }, { 0.93, 0.66, 0.42 }, { 0.55, 0.36, 0.55 }, { 0.87, 0.48, 0.32 }, { 0.40, 0.54, 0.56 },
  { 0.92, 0.78, 0.62 }, { 0.68, 0.27, 0.36 },
}

--- Pseudorandom numbers in [-1, 1) from a seed (Park and Miller's generator).
local function random_from(seed)
  local state = 1 + seed % 2147483646
  return function()
    state = state * 48271 % 2147483647
    return 2 * (state - 1) / 2147483646 - 1
  end
end

--- The lattice of `n` octopuses: side of the box, octopuses along it, distances sideways and in height.
local function lattice(n)
  local side = 20 * (n / 100) ^ (1 / 3)
  local across = math.max(1, math.floor(side / 4.6))
  local layers = math.ceil(n / across ^ 2)
  return across, math.max(side / across, least[1]), math.max(side / layers, least[2])
end

--- Adds `n` octopuses to scene `s`, layer by layer, the lowest at `height` above the ground, with its feet 0.037 m higher.
--- `options` are those of each octopus (lib/octopus.lua), without its position and turn; with `looks` each has a color.
--- Returns a table: `mass` of all [kg]; `root` of the highest octopus and its `height` [m]; a `foot` of the lowest one; and the number in the lowest
--- layer (`low`).
return function(s, n, seed, height, options)
  local random = random_from(seed)
  local across, wide, high = lattice(n)
  local out, lowest = { mass = 0, height = -math.huge, low = math.min(n, across ^ 2) }, math.huge
  for k = 0, n - 1 do
    local i, j, layer = k % across, k // across % across, k // across ^ 2
    local own = {}
    for key, value in pairs(options or {}) do own[key] = value end
    local looks = own.looks
    own.looks = nil
    own.turn = math.pi * random()
    own.origin = {
      (i + 0.5 - across / 2) * wide + 0.5 * (wide - least[1]) * random(),
      (j + 0.5 - across / 2) * wide + 0.5 * (wide - least[1]) * random(),
      height + low + layer * high + 0.5 * (high - least[2]) * (1 + random()),
    }
    local one = octopus(s, own)
    if looks then
      local color = skins[1 + (i + 3 * j + 5 * layer) % #skins]
      s:look{ node = one.root, material = "skin", color = color }
    end
    out.mass = out.mass + one.mass
    if own.origin[3] > out.height then out.root, out.height = one.root, own.origin[3] end
    if own.origin[3] < lowest then out.foot, lowest = one.feet[1], own.origin[3] end
  end
  return out
end
