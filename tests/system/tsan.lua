-- SPDX-License-Identifier: GPL-3.0-or-later
-- Scenes for ThreadSanitizer (tests/system/tsan.sh): just large enough that every loop of the time step is shared
-- among threads, each by all methods, and as few steps as have all phases at work.
local octopus = include("octopus")

local STUFF = { E = 1e6, nu = 0.45 }

local function scene()
  return vb.scene{ step = 0.01, steps = 2, gravity = { 0, 0, -9.81 } }
end

local kinds = {}

--- Many rods: more than 8192 nodes, which loops over nodes ask for.
function kinds.rods(s)
  for i = 1, 260 do
    local rod = s:rod{ nodes = 33, from = { i, 0, 0 }, to = { i, 1, 0 }, radius = 0.01, density = 1000, material = STUFF }
    s:pin{ node = rod.first, segment = rod.first_segment }
  end
end

--- One long rod, whose parts are shared among threads.
function kinds.long(s)
  local rod = s:rod{ nodes = 9000, from = { 0, 0, 0 }, to = { 90, 0, 0 }, radius = 0.01, density = 1000, material = STUFF }
  s:pin{ node = rod.first, segment = rod.first_segment }
end

--- One body that is no chain, and of more than 4096 nodes, so that all threads work on it together:
--- a net, narrow so that its factor is small.
function kinds.net(s)
  local n, width = 4200, 3
  for i = 0, n - 1 do
    s:node{ position = { i // width * 0.1, i % width * 0.1, 0 }, radius = 0.02 }
  end
  for i = 0, n - 1 do
    if i % width < width - 1 then s:segment{ nodes = { i, i + 1 }, material = STUFF, density = 1000 } end
    if i < n - width then s:segment{ nodes = { i, i + width }, material = STUFF, density = 1000 } end
  end
end

--- Octopuses with skins, that touch each other and the ground: more than 2048 segments.
function kinds.crowd(s)
  for i = 0, 59 do
    octopus(s, { origin = { 0.8 * (i % 4), 0.8 * (i // 4 % 4), 0.6 + 0.6 * (i // 16) }, turn = i, skin = 3700, name = "o" .. i })
  end
  s:halfplane{ normal = { 0, 0, 1 }, friction = 0.5 }
  s:contact{ friction = 0.5 }
end

--- Cross-sections of three rods that share a transform, many of them.
function kinds.bundles(s)
  for i = 1, 100 do
    local rods = {}
    for k = 1, 3 do
      rods[k] = s:rod{
        nodes = 12, from = { i, 0.1 * k, 0 }, to = { i, 0.1 * k, 1 }, radius = 0.03, density = 1000, material = STUFF,
      }
    end
    for j = 1, 11 do
      s:bundle{ segments = { rods[1].segments[j], rods[2].segments[j], rods[3].segments[j] } }
    end
  end
end

return {
  title = "Scenes that all threads share",
  parameters = { kind = "rods" },
  build = function(p)
    local s = scene()
    kinds[p.kind](s)
    local fields = { "position", "scale" }
    if p.kind == "crowd" then fields[3] = "vertices" end
    s:record{ frames = 1, residual = true, fields = fields }
    s:solver{ backend = "cpu", threads = 4 }
    return s
  end,
  grid = { kind = { "rods", "long", "net", "crowd", "bundles" }, method = { "direct", "xpbd", "block-descent", "jacobi-published" } },
  -- Four doubles, in which contact and the matrix are worked on, are wider than the sanitizer sees. So either
  -- precision runs, but nearly all is in float.
  each = function(at)
    -- Threads that sweep a chain in windows meet after 10 iterations.
    local windows = at.kind == "long" and at.method ~= "direct"
    return { precision = at.method == "jacobi-published" and "double" or "float", iterations = windows and 12 or 2 }
  end,
}
