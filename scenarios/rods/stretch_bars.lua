-- Bars of several volume stiffnesses, stretched to twice their length, released, and compressed.
local forms = include("closed_forms")
local resolutions = include("resolutions"){ quick = { 32 }, full = { 32, 64, 128 } }

local ratios = { 0, 1, 10, 50 } -- kv / kz of the bars that are judged
local paper_ratios = { 1, 50 } -- of the two bars of figure 5
local stretch, compression = 2, 0.7

--- Length of the bars beyond their rest length, over time: pulled in 1 s, held, let go within 0.1 s,
--- compressed in 1 s, held.
local function pull(length)
  local out, back = (stretch - 1) * length, (compression - 1) * length
  return { { 0, 0 }, { 1, out }, { 2, out }, { 2.1, 0 }, { 3, 0 }, { 4, back }, { 5, back } }
end

--- The scene and a function that adds a bar to it.
local function start(p)
  local s = vb.scene{ step = 1 / 60, duration = 5 }
  local top = s:driver{ name = "pull", z = pull(p.length) }
  --- `held` are the components of the inner nodes that are pinned; `ends`, of the two others.
  local function bar(name, x, kv, imperfection, held, ends)
    local kb = p.k * p.radius ^ 2
    local rod = s:rod{
      name = name, nodes = p.n + 1, radius = p.radius, density = 1000,
      material = { kx = p.k, ky = p.k, kz = p.k, kbx = kb, kby = kb, kv = kv },
      curve = function(t)
        return x + imperfection * p.length * math.sin(math.pi * t), 0, t * p.length
      end,
    }
    s:pin{ node = rod.first, components = ends }
    s:pin{ node = rod.last, components = ends, driver = top }
    for i = 2, held and #rod.nodes - 1 or 0 do
      s:pin{ node = rod.nodes[i], components = held }
    end
    return rod
  end
  return s, bar
end

--- A gate: while the bars are pulled, the end of `rod` is where its driver has it.
local function follows(s, p, rod)
  s:gate{
    name = "the end follows its driver", quantity = "frames/position", node = rod.last, component = "z", measure = "value",
    at = 0.5, near = (1 + (stretch - 1) / 2) * p.length, tolerance = 1e-12, reason = "half of the way at half of the time; rounding",
  }
end

--- Figure 5: the scales of the ends are held, too, so that the bars bulge between them.
local function clamped(p)
  local s, bar = start(p)
  s:record{ every = 1, frames = 3, residual = true }
  s:solver{ iterations = 30, tolerance = 1e-9 }
  for i, ratio in ipairs(paper_ratios) do
    local rod = bar(string.format("kv = %g kz", ratio), (i - 1) * 4 * p.radius, ratio * p.k, 0, "xy", "xyzs")
    if i == 1 then follows(s, p, rod) end
    for _, held in ipairs{ { stretch, 2, "stretched" }, { compression, 5, "compressed" } } do
      local scale = forms.held_scale(2 * p.k, ratio * p.k, held[1])
      s:gate{
        name = string.format("%s between held ends, kv = %g kz", held[3], ratio),
        quantity = "frames/scale", node = rod.nodes[p.n // 2 + 1], measure = "value", at = held[2],
        near = scale, tolerance = 0.04, finding = p.ends == "clamped, published",
        reason = "the scale of a bar whose ends are free: ends that keep their section over about a radius "
          .. "each, a tenth of the length, stretch less, and the middle more by as much; a scale follows with half of that",
      }
    end
  end
  return s
end

--- Figure 13's bar by the paper's solver: shown, not judged. With ten iterations it ends at a scale of nearly 0 as
--- the bar is let go.
local function published(p)
  local s, bar = start(p)
  bar("kv = 10 kz", 0, 10 * p.k, 0, "xy", "xyz")
  s:record{ every = 1, frames = 3, residual = true }
  return s
end

local function free(p)
  local s, bar = start(p)
  local bars = {}
  for i, ratio in ipairs(ratios) do
    bars[i] = bar(string.format("kv = %g kz", ratio), (i - 1) * 4 * p.radius, ratio * p.k, 0, "xy", "xyz")
  end
  local cosserat = bar("Cosserat", #ratios * 4 * p.radius, 0, 0, "xys", "xyzs")
  -- Free to buckle, bent at rest by a half sine of 1/1000 of its length: shown, not judged.
  bar("free, kv = 10 kz", (#ratios + 2) * 4 * p.radius, 10 * p.k, 1e-3, nil, "xyz")

  s:record{ every = 1, frames = 3, residual = true }
  -- Of the forces of section and volume that balance at the held scale; the gate allows 1e-6 of it, and the
  -- bars' stiffnesses differ by a hundred.
  s:solver{ iterations = 30, tolerance = 1e-9 }

  for i, ratio in ipairs(ratios) do
    local middle = bars[i].nodes[p.n // 2 + 1]
    for _, held in ipairs{ { stretch, 2, "stretched" }, { compression, 5, "compressed" } } do
      s:gate{
        name = string.format("held scale, %s, kv = %g kz", held[3], ratio),
        quantity = "frames/scale", node = middle, measure = "value", at = held[2],
        near = forms.held_scale(2 * p.k, ratio * p.k, held[1]), tolerance = 1e-6,
        reason = "root of the held bar's equilibrium; at rest after 60 held steps, whose slowest "
          .. "motion falls by half in each",
      }
    end
  end
  follows(s, p, cosserat)
  s:gate{
    name = "energy of the stretched bars", quantity = "energy/stretch", measure = "value", at = 2,
    near = (#ratios + 2) * math.pi * p.radius ^ 2 * p.length / 2 * p.k * (stretch - 1) ^ 2, tolerance = 1e-5,
    reason = "all are straight and stretched alike; the last, bent at rest, is longer by (pi/2000)^2, 2.5e-6, and so has "
      .. "1e-5 less of a sixth of the energy",
  }
  s:gate{
    name = "Cosserat bar keeps its section", quantity = "frames/scale",
    node = cosserat.nodes[p.n // 2 + 1], measure = "drift", at_most = 0,
    reason = "its scales are pinned",
  }
  return s
end

local builds = { free = free, clamped = clamped, published = published, ["clamped, published"] = clamped }

local function runs(_, tier)
  local list = resolutions.runs(tier)
  list[#list + 1] = { name = "clamped", label = "ends that keep their section", parameters = { ends = "clamped" } }
  list[#list + 1] = {
    name = "clamped-published", label = "ends that keep their section, jacobi-published, 100 iterations",
    parameters = { ends = "clamped, published" }, method = "jacobi-published", iterations = 100, tolerance = 0,
  }
  for _, iterations in ipairs{ 30, 300 } do
    list[#list + 1] = {
      name = "published-" .. iterations, label = string.format("jacobi-published, %d iterations", iterations),
      parameters = { ends = "published" }, method = "jacobi-published", iterations = iterations, tolerance = 0,
    }
  end
  return list
end

return {
  title = "Bars stretched to twice their length, released, and compressed",
  keywords = { "paper", "quick" },
  parameters = { n = 32, length = 1.0, radius = 0.05, k = 1e6, ends = "free" },
  ranges = {
    n = { least = 2 }, length = { above = 0 }, radius = { above = 0 }, k = { above = 0 },
    ends = { "free", "clamped", "published", "clamped, published" },
  },
  build = function(p) return builds[p.ends](p) end,
  runs = runs,
  gold = { runs = { "n32", "clamped", "published-30" } },
  figure = "stretch_bars",
  planted = { must = { "slow-time", "noise" } },
}
