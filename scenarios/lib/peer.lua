-- Entries of other packages, reference/peers/entries: include("peer"){ .. } turns a package into
-- the study of all problems that it models, each with more and more segments. Its runs have the
-- names of entries (lib/entry.lua), by which `viperbench score` finds them. Most packages have no
-- statics: loads grow, and the motion is damped until it rests. Times are in units of the rod,
-- sqrt(m L^4/B), as in entries, and are settings of the entry.

--- Cases in their order; `unit` [s] is sqrt(m L^4/B). The quick tier has those that are marked.
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
}

--- The scene of the problem's entry. Its steps, and the radius over the length of rods that a problem calls rigid, are parameters.
local function build(p)
  return include("entry"){
    ramp = p.ramp, hold = p.hold, step = p.step, slender = p.slender, hold_spin = p.hold_spin,
    model = p.model ~= "published" and p.model or nil,
  }.build(p)
end

local function run_of(peer, case, n)
  local set = peer.settings(n, case.problem)
  local run = {
    name = case.problem .. "-" .. case.case .. "-n" .. n, solver = peer.solver,
    label = peer.label .. ", " .. case.problem .. " " .. case.case .. ", " .. n .. " segments",
    parameters = {
      problem = case.problem, case = case.case, n = n, ramp = set.ramp, hold = set.hold, slender = set.slender,
      step = set.step, hold_spin = peer.hold_spin or false, model = peer.model or "published",
    },
  }
  for key, value in pairs(set.options or {}) do run[key] = value end
  for key, value in pairs(set.times or {}) do run[key] = value * case.unit end
  for key, value in pairs(set.rates or {}) do run[key] = value / case.unit end
  return run
end

--- The study of a peer, a table with `title`, `label`, the numbers of `segments` (the first `quick` of them in the quick tier, or
--- as many as `few` has for a problem), `without` (reasons for problems that it does not model), the material's `model`
--- (published or solid), `solver` if it is one of the program, and `settings(n, problem)`. The latter are the number of steps in
--- which loads grow (`ramp`), of those that follow (`hold`), the length of a step in units (`step`), the radius over the length
--- of rods that a problem calls rigid (`slender`), and options of the solver; those in `times` and `rates` are in units.
return function(peer)
  return {
    title = peer.title, timed = true,
    parameters = {
      problem = "elastica", case = "10", n = 16, ramp = 8, hold = 12, step = 0.5, slender = 0.01, hold_spin = false,
      model = "published",
    },
    build = build,
    runs = function(_, tier)
      local list = {}
      for _, case in ipairs(cases) do
        if (tier == "full" or case.quick) and not (peer.without or {})[case.problem] then
          for i, n in ipairs(peer.segments) do
            local few = (peer.few or {})[case.problem] or peer.quick or 3
            if tier == "full" or i <= few then list[#list + 1] = run_of(peer, case, n) end
          end
        end
      end
      return list
    end,
  }
end
