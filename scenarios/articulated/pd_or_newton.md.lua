-- SPDX-License-Identifier: GPL-3.0-or-later
-- Text of results/pd_or_newton.md: iterations and time to a step's minimizer, by both solvers.
local LENGTH = 1.2 -- of the arm, m
local NAMES = { pd = "projective dynamics", newton = "Newton" }

--- Distance of the tip and of the middle of the arm from where the same solver has them in the end, over the length.
local function apart(run, last)
  local most = 0
  for _, row in ipairs{ "50%", "100%" } do
    local sum = 0
    for c = 0, 2 do
      local path = string.format("frames/position[%s,%d]", row, c)
      sum = sum + ((page.last(run, path)) - (page.last(last, path))) ^ 2
    end
    most = math.max(most, math.sqrt(sum) / LENGTH)
  end
  return most
end

--- Of a solver's runs: for each bound the fewest recorded iterations that come within it, and their time; and the mean time of an iteration.
local function reach(base, bounds)
  local counts = page.values(base .. ".time", "convergence/iteration")
  local times, result = page.values(base .. ".time", "convergence/wall_time"), {}
  local least = math.huge
  for k = #counts, 1, -1 do -- each is measured once: no more than that of more of them
    least = math.min(least, times[k])
    times[k] = least
  end
  for b, bound in ipairs(bounds) do
    for k = #counts, 1, -1 do
      if apart(base .. ".i" .. math.tointeger(counts[k]), base .. ".end") <= bound then result[b] = { counts[k], times[k] } end
    end
  end
  return result, times[#times] / counts[#counts]
end

local BOUNDS = { 1e-2, 1e-4, 1e-6 }
page.put("# Projective dynamics or Newton's method\n")
page.put("One step of an arm of flesh, from one state, to the minimizer of each solver: iterations (of those that were recorded) and time until the tip "
  .. "and the middle of the arm are within a part of its length of where the same solver has them in the end.\n")
local rows, sentences = {}, {}
for n = 1, 2 do
  for _, nu in ipairs{ "0", "0.3", "0.45" } do
    local found, each = {}, {}
    for _, solver in ipairs{ "pd", "newton" } do
      local base = string.format("n%d.nu%s.%s", n, nu, solver)
      if page.has(base .. ".time", "convergence/wall_time") then
        found[solver], each[solver] = reach(base, BOUNDS)
        local row = { n == 1 and "960" or "7680", nu, NAMES[solver], page.si(each[solver], "s", 2) }
        for b = 1, #BOUNDS do
          local at = found[solver][b]
          row[#row + 1] = at and page.format("{count:%.0f}: {time}", { count = at[1], time = page.si(at[2], "s", 2) }) or "-"
        end
        rows[#rows + 1] = row
      end
    end
    if found.pd and found.newton then
      local first = {}
      for b = 1, #BOUNDS do
        local pd, newton = found.pd[b] and found.pd[b][2] or math.huge, found.newton[b] and found.newton[b][2] or math.huge
        first[b] = page.format("{bound:%g} {name}", { bound = BOUNDS[b], name = pd < newton and NAMES.pd or NAMES.newton })
      end
      sentences[#sentences + 1] = page.format("- {n} tetrahedra, nu = {nu}: first to {first}; an iteration of Newton takes as long as {ratio:%.0f} of projective dynamics.",
        { n = n == 1 and "960" or "7680", nu = nu, first = table.concat(first, ", "), ratio = each.newton / each.pd })
    end
  end
end
page.table({ "tetrahedra", "nu", "solver", "an iteration", "to 1e-2", "to 1e-4", "to 1e-6" }, rows)
page.put("\n" .. table.concat(sentences, "\n"))
page.put("\n{footer}", { footer = page.footer })
