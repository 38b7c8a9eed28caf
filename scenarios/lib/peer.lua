-- Entries of other packages, reference/peers/entries: include("peer"){ .. } turns a package into
-- the study of all problems that it models, each with more and more segments. Its runs have the
-- names of entries (lib/entry.lua), by which `viperbench score` finds them. Statics: most packages
-- have none, so that loads grow, and the motion is damped until it rests. Times are in units of the
-- rod, sqrt(m L^4/B), as in entries, and are settings of the entry. Motions, contact, the column
-- and the crowd, `others`, have the times of the problem.
local copy, own_scenes = include("copy"), include("peer_scenes")

--- Cases of statics in their order; `unit` [s] is sqrt(m L^4/B). The quick tier has those that are marked.
local cases = {
  { problem = "elastica", case = "1", unit = 1 },
  { problem = "elastica", case = "3", unit = 1 },
  { problem = "elastica", case = "10", unit = 1, quick = true },
  { problem = "heavy_cantilever", case = "1", unit = 1 },
  { problem = "heavy_cantilever", case = "5", unit = 1 },
  { problem = "heavy_cantilever", case = "20", unit = 1, quick = true },
  { problem = "roll_up", case = "once", unit = 1, quick = true },
  { problem = "roll_up", case = "twice", unit = 1 },
  { problem = "bend_45", case = "600", unit = 6.8, quick = true },
  { problem = "helical_spring", case = "50", unit = 1, quick = true },
  { problem = "elastic_catenary", case = "20", unit = 1, quick = true },
  { problem = "column", case = "euler", unit = 1, quick = true },
}

--- Cases of all other kinds.
local other_cases = {
  { problem = "hanging_chain", case = "mode_1" }, { problem = "hanging_chain", case = "mode_2" },
  { problem = "vibrating_cantilever", case = "mode_1" }, { problem = "flying_rod_round", case = "pulse" },
  { problem = "spin_up", case = "motor" }, { problem = "stretch_wave", case = "pull" }, { problem = "twist_wave", case = "turn" },
  { problem = "whip", case = "links" }, { problem = "rolling", case = "thrown" }, { problem = "rolling", case = "rolls" },
  { problem = "rolling", case = "slips" }, { problem = "crossing", case = "holds" }, { problem = "crossing", case = "slides" },
  { problem = "capstan", case = "holds" }, { problem = "capstan", case = "slides" },
  { problem = "twist_under_tension", case = "pulled" },
  { problem = "michell_ring", case = "twisted" }, { problem = "crowd", case = "1" }, { problem = "crowd", case = "100" }, { problem = "crowd", case = "1000" },
}

--- The scene of the problem's entry. Its steps, and the radius over the length of rods that a problem calls rigid, are parameters.
local function build(p)
  if p.body == "tetrahedra" then return own_scenes.prism(p) end
  if own_scenes[p.problem] then return own_scenes[p.problem](p) end
  local each = { steps = p.steps, radius = p.radius > 0 and p.radius or nil, stretch = p.stretch > 0 and p.stretch or nil }
  return include("entry"){
    ramp = p.ramp, hold = p.hold, step = p.step, slender = p.slender, hold_spin = p.hold_spin,
    model = p.model ~= "published" and p.model or nil, damping = p.damping, segments = { p.n }, motion = each, modes = each, fall = each, contact = each,
  }.build(p)
end

local function run_of(peer, case, n, set)
  local run = {
    name = case.problem .. "-" .. case.case .. "-n" .. n, solver = peer.solver,
    label = peer.label .. ", " .. case.problem .. " " .. case.case .. ", " .. n .. " segments",
    parameters = {
      problem = case.problem, case = case.case, n = n, ramp = set.ramp, hold = set.hold, slender = set.slender,
      step = set.step, steps = set.steps, radius = set.radius, stretch = set.stretch, damping = set.damping, body = peer.body,
      hold_spin = peer.hold_spin or false,
      model = set.model or peer.model or "published",
    },
  }
  local unit = case.unit or 1
  for key, value in pairs(set.options or {}) do run[key] = value end
  for key, value in pairs(set.times or {}) do run[key] = value * unit end
  for key, value in pairs(set.rates or {}) do run[key] = value / unit end
  return run
end

--- A product, whole if the number is.
local function times(number, factor)
  if math.type(number) ~= "integer" then return number * factor end
  return math.max(1, math.floor(number * factor + 0.5))
end

--- Multiplies settings, or options and times among them, by the factors of a sweep.
local function alter(set, sweep)
  for key, factor in pairs(sweep) do
    for _, of in ipairs{ set, set.options or {}, set.times or {}, set.rates or {} } do
      if type(factor) == "number" and of[key] then of[key] = times(of[key], factor) end
    end
  end
  return set
end

--- Adds the runs of a case with `settings(n, problem, case)`: all numbers of segments in the full tier, the first `few` in the quick one;
--- and again with those of each sweep, but for crowds; the finer sweeps of the full tier, with the fewest segments alone.
local function add_runs(list, peer, case, tier, segments, few, settings)
  local function add(n, sweep)
    local run = run_of(peer, case, n, alter(copy(settings(n, case.problem, case.case)), sweep))
    if sweep.name then run.name, run.label = run.name .. "-" .. sweep.name, run.label .. ", " .. sweep.name end
    list[#list + 1] = run
  end
  for i, n in ipairs(segments) do
    if i <= (tier == "full" and ((peer.most or {})[case.problem] or #segments) or few) then
      add(n, {})
      for _, sweep in ipairs(case.problem ~= "crowd" and peer.sweep or {}) do
        if not sweep.full or tier == "full" and i == 1 and not (peer.most or {})[case.problem] then add(n, sweep) end
      end
    end
  end
end

--- The reasons of a peer for problems that it does not take, as one text.
local function reasons(peer)
  local list, told = {}, {}
  for _, of in ipairs{ cases, other_cases } do
    for _, case in ipairs(of) do
      local why = (peer.without or {})[case.problem]
      if why and not told[case.problem] then list[#list + 1] = case.problem .. ": " .. why end
      told[case.problem] = true
    end
  end
  return table.concat(list, "; ")
end

--- The study of a peer, a table with `title`, `label`, the numbers of `segments` (the first `quick` of them in the quick tier, or
--- as many as `few` has for a problem; in the full tier as many as `most` has for a slow one, without its finer sweeps), `without`
--- (reasons for problems that it does not take), the material's `model` (published or solid), `solver` if it is one of the program,
--- and `settings(n, problem)`. The latter are the number of steps in which loads grow (`ramp`), of those that follow (`hold`), the length of a step in units (`step`), the radius over the length
--- of rods that a problem calls rigid (`slender`), and options of the solver; those in `times` and `rates` are in units. `damping`,
--- per unit, is that of scenes. The `body` "tetrahedra" is a square prism in place of a rod.
--- `sweep` has further settings, `{ name = "s2", substep = 2 }`: factors on settings and options; with `full` in the full tier alone,
--- and there with the fewest segments.
--- `others` has the problems of the other kinds that it models, by name, or by name and case ("crowd-100"): each with `segments`,
--- `quick` and `settings` of its own, the latter with the number of `steps`, as in entries (lib/entry.lua), the `radius` or the
--- `stretch` of chains, the `model`, and options.
return function(peer)
  return {
    title = peer.title, timed = true,
    parameters = {
      problem = "elastica", case = "10", n = 16, ramp = 8, hold = 12, step = 0.5, slender = 0.01, steps = 40, radius = 0.0, stretch = 0.0,
      hold_spin = false, model = "published", damping = 0.0, body = "rod", without = reasons(peer),
    },
    build = build,
    runs = function(_, tier)
      local list = {}
      for _, case in ipairs(cases) do
        if peer.segments and (tier == "full" or case.quick) and not (peer.without or {})[case.problem] then
          add_runs(list, peer, case, tier, peer.segments, (peer.few or {})[case.problem] or peer.quick or 3, peer.settings)
        end
      end
      for _, case in ipairs(other_cases) do
        local other = (peer.others or {})[case.problem .. "-" .. case.case] or (peer.others or {})[case.problem]
        if other then add_runs(list, peer, case, tier, other.segments, other.quick, other.settings or peer.settings) end
      end
      return list
    end,
  }
end
