-- The page about position-based and other solvers of rods: when position-based rods are accurate enough. Its conclusions are
-- computed from the runs, whose names contain case, solver, iterations (n), substeps (s), steps per second (h), threads (t).
local kinds = {
  { name = "pbd", label = "umetani, pbd", sweeps = true },
  { name = "pbd-law", label = "umetani, pbd, alpha=law", sweeps = true },
  { name = "xpbd", label = "umetani, xpbd", sweeps = true },
  { name = "viper-xpbd", label = "viper, xpbd", sweeps = true },
  { name = "block-descent", label = "viper, block-descent", sweeps = true },
  { name = "direct", label = "viper, direct" },
  { name = "bergou", label = "bergou" },
}
local counts = { 1, 3, 10, 30, 100 }
local strand = 0.2 -- length of a strand of hair [m]
local reference_run = "hair.direct.n10"

local function value_of(run, name) return tonumber(page.values(run, name)[1]) end
local function label_of(name)
  for _, kind in ipairs(kinds) do
    if kind.name == name then return kind.label end
  end
end

-- ---- errors, work and times of the runs ----

local goals = {}
for _, case in ipairs{ "bend", "twist", "contact" } do
  goals[case] = page.gate(case .. ".direct.n10", case .. " by direct.n10").reference
end
local hair_goal = page.values(reference_run, "frames/position[frame=-1]")

--- Relative error of a run of a case against the closed form; for hair the root mean square distance from viper's direct
--- method over the length of a strand. A number that is not finite is above any limit.
local errors_of = {
  bend = function(run) return math.abs(page.last(run, "frames/position[15,2]") / goals.bend - 1) end,
  contact = function(run) return math.abs(page.last(run, "frames/position[15,2]") / goals.contact - 1) end,
  twist = function(run) return math.abs(page.last(run, "reaction/torque[0,0]") / goals.twist - 1) end,
  recovery = function(run)
    local x = page.values(run, "frames/position[frame=-1]")
    return math.abs(math.sqrt((x[91] - x[1]) ^ 2 + (x[92] - x[2]) ^ 2 + (x[93] - x[3]) ^ 2) / 0.5 - 1)
  end,
  hair = function(run)
    local x, sum = page.values(run, "frames/position[frame=-1]"), 0
    for i = 1, #x do sum = sum + (x[i] - hair_goal[i]) ^ 2 end
    return math.sqrt(sum / x.rows) / strand
  end,
}

--- Median of the times of a run's steps [s], which is robust to short disturbances.
local function step_time(run)
  local t = page.values(run, "timing/step")
  table.sort(t)
  return #t % 2 == 1 and t[#t // 2 + 1] or (t[#t // 2] + t[#t // 2 + 1]) / 2
end

--- The runs of a case by a solver in steps of 1/60 s, each with iterations, substeps, error and time of a step.
local memory = {}
local function runs_of(case, kind)
  local key = case .. "." .. kind
  if memory[key] then return memory[key] end
  local list = {}
  for _, run in ipairs(page.find(key .. ".n*")) do
    if page.parameter(run, case == "hair" and "strands" or "rate") == (case == "hair" and 10 or 60) then
      list[#list + 1] = {
        name = run, n = value_of(run, "solver/iterations"), s = value_of(run, "solver/substeps"),
        diverged = page.attribute(run, "run", "status") ~= "complete", time = step_time(run),
      }
      list[#list].error = list[#list].diverged and 1 / 0 or errors_of[case](run)
    end
  end
  memory[key] = list
  return list
end

local function find(case, kind, n, s)
  for _, run in ipairs(runs_of(case, kind)) do
    if run.n == n and run.s == s then return run end
  end
end

local function cell(run)
  if not run then return "–" end
  if run.name == reference_run then return "the reference" end
  local text = run.error < 100 and page.format("{error:%.1e}", run) or "diverges"
  return text .. " (" .. page.si(run.time, "s") .. ")"
end

local function division(run)
  return run.s == 1 and page.format("{n:%d}", run) or page.format("{s:%d} × {n:%d}", run)
end

--- The fastest run of a case by a solver within an error, over all divisions into substeps; the most accurate of all.
local function quickest(case, kind, error)
  local best
  for _, run in ipairs(runs_of(case, kind)) do
    if run.error <= error and run.name ~= reference_run and (not best or run.time < best.time) then best = run end
  end
  return best
end

local function nearest(list)
  local best
  for _, run in ipairs(list) do
    if not best or run.error < best.error then best = run end
  end
  return best
end

page.put([[
# Rods by position-based solvers and others

Written by `viperbench run rods_compared` and `viperbench plot rods_compared` from recorded runs, as are the conclusions.
Times are medians over the steps of one run, on one thread except for the crowd: differences of a few percent mean
nothing.

![rods_compared](rods_compared.svg)

## Errors

Relative error against the closed form of the discrete rod (bend, twist, recovery), or root mean square distance from
viper's direct method over the length of a strand (hair). In parentheses: the time of a step. All iterations are in one
substep.]])
for _, case in ipairs{ "bend", "twist", "recovery", "hair" } do
  local rows = {}
  for _, kind in ipairs(kinds) do
    if #runs_of(case, kind.name) > 0 then
      local row = { kind.label }
      for _, n in ipairs(counts) do row[#row + 1] = cell(find(case, kind.name, n, 1)) end
      rows[#rows + 1] = row
    end
  end
  page.put("")
  page.table({ case, "1", "3", "10", "30", "100 iterations" }, rows)
end

-- ---- equal work ----

page.put([[

## Equal sweeps

The same number of sweeps, in one substep or in several: 10 × 10 is ten substeps of ten iterations. The criterion is
R = 6 K h^2/(m l^3), the stiffness K of a joint relative to the inertia m of a node, in a substep h with edges l. It
decreases with the square of the number of substeps.
]])
local columns = { { 30, 1 }, { 10, 3 }, { 3, 10 }, { 1, 30 }, { 100, 1 }, { 10, 10 }, { 1, 100 } }
local rows = {}
local shown = {}
for _, d in ipairs(columns) do
  for _, kind in ipairs(kinds) do
    for _, case in ipairs(kind.sweeps and { "bend", "hair" } or {}) do
      if find(case, kind.name, d[1], d[2]) then shown[d] = true end
    end
  end
end
for _, case in ipairs{ "bend", "twist", "hair" } do
  for _, kind in ipairs(kinds) do
    if kind.sweeps and kind.name ~= "pbd-law" then
      local row = { case, kind.label }
      for _, d in ipairs(columns) do
        if shown[d] then row[#row + 1] = cell(find(case, kind.name, d[1], d[2])) end
      end
      rows[#rows + 1] = row
    end
  end
end
local heads = { "case", "solver" }
for _, d in ipairs(columns) do
  if shown[d] then heads[#heads + 1] = division{ n = d[1], s = d[2] } end
end
page.table(heads, rows)
page.put("")

--- The effect of dividing sweeps among substeps, for a solver and a case: the most accurate division against one substep.
local function divided(case, kind, sweeps)
  local whole, parts = find(case, kind, sweeps, 1), {}
  for _, run in ipairs(runs_of(case, kind)) do
    if run.s > 1 and run.n * run.s == sweeps then parts[#parts + 1] = run end
  end
  local best = nearest(parts)
  if not whole or not best then return end
  local what = best.error < whole.error / 1.1 and "decrease the error" or best.error > 1.1 * whole.error and "increase the error"
    or "make no difference"
  local function told(run) return run.error < 100 and page.format("{error:%.1e}", run) or "divergence" end
  page.put("- {label}, {case}, {sweeps:%d} sweeps: substeps {what}: {best} as {division}, {whole} in one substep.", {
    label = label_of(kind), case = case, sweeps = sweeps, what = what, best = told(best), division = division(best),
    whole = told(whole),
  })
end
for _, kind in ipairs{ "pbd", "xpbd", "viper-xpbd", "block-descent" } do
  divided("bend", kind, 100)
  divided("twist", kind, 100)
  divided("hair", kind, 30)
end

-- ---- the law, contact, twist, crowd ----

page.put([[

## Position-based dynamics with the material's stiffness

With `alpha=law`, pbd has the alphas that give long waves the stiffness of the material, for these iterations, step, edges
and masses.
]])
rows = {}
local worst_law, law_counts = 0, { 30, 100 }
for _, case in ipairs{ "bend", "twist" } do
  for _, n in ipairs(law_counts) do
    local law, given = find(case, "pbd-law", n, 1), find(case, "pbd", n, 1)
    rows[#rows + 1] = { case, page.format("{1:%d}", { n }), cell(law), cell(given) }
    if not (law.error <= worst_law) then worst_law = law.error end
  end
end
page.table({ "case", "iterations", "alpha=law", "alpha = 1" }, rows)
page.put("\nBy the law, bending and twist are {within} of the material's.", { within = page.within(worst_law) })

page.put([[

## Contact

A cantilever whose weight presses it onto another that crosses below it; each carries half. Relative error of the
deflection of the upper one at the crossing; times as above.
]])
rows = {}
for _, kind in ipairs(kinds) do
  local list = runs_of("contact", kind.name)
  if #list > 0 then
    local best = nearest(list)
    rows[#rows + 1] = { kind.label, cell(list[1]), division(list[1]), cell(best), division(best) }
  end
end
page.table({ "solver", "fewest sweeps", "iterations", "most accurate", "iterations" }, rows)

page.put([[

## Six turns

A straight rod of 60 edges is turned six times while its ends approach; writhe + twist is six turns if none is lost. Ten
iterations in steps of 1/200 s. Scales are held: with free scales, and a material without stiffness against changes of
scale, viper's rods become thin in one place and lose turns there.
]])
rows = {}
local turns = {}
for _, kind in ipairs(kinds) do
  local run = "coil." .. kind.name .. ".n10"
  if #page.find(run) > 0 then
    turns[kind.name] = page.last(run, "ribbon/linking")
    rows[#rows + 1] = {
      kind.label, page.format("{1:%.3f}", { turns[kind.name] }), page.format("{1:%.3f}", { (page.last(run, "ribbon/writhe")) }),
      page.si(step_time(run), "s"),
    }
  end
end
page.table({ "solver", "writhe + twist", "writhe", "a step" }, rows)
local function keeps(kind) return math.abs(turns[kind] - 6) <= 0.02 end -- as the gate of umetani_plectoneme

page.put([[

## A thousand rods

1000 cantilevers of 15 edges together: median wall time of a few steps, with one thread and with two, on one machine.
]])
rows = {}
local crowd_of = {}
for _, kind in ipairs(kinds) do
  local one, two = page.find("crowd." .. kind.name .. ".n*-t1")[1], page.find("crowd." .. kind.name .. ".n*-t2")[1]
  if one and two then
    local a, b, n = step_time(one), step_time(two), value_of(one, "solver/iterations")
    local gate = page.gate(one .. " " .. two, "threads by " .. kind.name)
    local alone = find("bend", kind.name, n, 1)
    crowd_of[kind.name] = a / 1000
    rows[#rows + 1] = {
      kind.label, page.format("{1:%d}", { n }), page.si(a, "s"), page.si(b, "s"), page.format("{1:%.2f}", { a / b }),
      page.si(a / 1000, "s"), page.format("{1:%.1f}", { alone.time / (a / 1000) }), gate.passed and "the same" or "**not the same**",
    }
  end
end
page.table({ "solver", "iterations", "one thread", "two threads", "ratio", "per rod", "speedup over a single rod", "results" }, rows)

-- ---- conclusions ----

page.put("\n## When position-based rods are accurate enough\n")
local function stiffness(run) return goals.bend / page.last(run, "frames/position[15,2]") end
local of10, of100 = stiffness("bend.pbd.n10"), stiffness("bend.pbd.n100")
local of30Hz, of240Hz = stiffness("bend.pbd.n10-h30"), stiffness("bend.pbd.n10-h240")
local torque10 = page.last("twist.pbd.n10", "reaction/torque[0,0]") / goals.twist
local spread = math.max(of10, of100, of30Hz, of240Hz) / math.min(of10, of100, of30Hz, of240Hz)
page.put("- **pbd {verdict}** Its bending stiffness after 10 iterations of 1/60 s is {a:%.2f} of the material's, after 100\n"
  .. "  iterations {b:%.2f}; in steps of 1/30 s {c:%.2f}, of 1/240 s {d:%.2f}. Its torque after 10 iterations is {e:%.2f} of the\n"
  .. "  material's{meet}.{law}", {
    verdict = spread > 1.5 and "with alphas of 1 does not represent a material." or "represents a material.",
    a = of10, b = of100, c = of30Hz, d = of240Hz, e = torque10,
    meet = math.abs(torque10 / of10 - 1) > 0.1 and ": bending and twist reach theirs at different numbers of iterations" or "",
    law = worst_law <= 0.1 and " With `alpha=law` it has the stiffness of the material, " .. page.within(worst_law)
        .. ", for the step, edges and iterations of these alphas."
      or " Nor does it with `alpha=law`: bending or twist are " .. page.within(worst_law) .. ".",
  })

--- R of the first segment of a run, K its bending stiffness and m half of its mass: the other half is the ghosts'.
local function R(run)
  local r, l = value_of(run, "topology/rest_radius"), value_of(run, "topology/rest_length")
  local k, h = page.values(run, "topology/stiffness"), value_of(run, "scenario/step")
  local m = 0.5 * value_of(run, "topology/density") * math.pi * r ^ 2 * l
  return 6 * k[3] * math.pi * r ^ 4 / 4 * h ^ 2 / (m * l ^ 3)
end
local xpbd_whole, xpbd_parts = find("bend", "xpbd", 100, 1), find("bend", "xpbd", 10, 10)
local bend_R, hair_R = R("bend.xpbd.n100"), R("hair.xpbd.n10")
local hair_pbd, hair_xpbd = find("hair", "pbd", 10, 1), find("hair", "xpbd", 10, 1)
page.put("- **xpbd {verdict}** R is {bend:%.0f} in bend and {hair:%.0f} in hair. In bend 100 iterations in one substep are {whole},\n"
  .. "  ten in each of ten, where R is {small:%.2g}, are {parts}.{same}", {
    verdict = xpbd_parts.error < xpbd_whole.error and "is more accurate in substeps, with more iterations than R."
      or "does not gain by substeps.",
    bend = bend_R, hair = hair_R, whole = page.within(xpbd_whole.error), parts = page.within(xpbd_parts.error), small = bend_R / 100,
    same = math.abs(hair_xpbd.error / hair_pbd.error - 1) < 0.05
      and " For hair, ten iterations in one substep equal those of pbd." or "",
  })

page.put("\nThe fastest settings within an error, as substeps × iterations:\n")
rows = {}
local limits = { 0.1, 0.03 }
for _, kind in ipairs(kinds) do
  local row = { kind.label }
  for _, case in ipairs{ "bend", "twist", "hair" } do
    for _, error in ipairs(limits) do
      local run = quickest(case, kind.name, error)
      row[#row + 1] = run and division(run) .. " (" .. page.si(run.time, "s") .. ")"
        or #runs_of(case, kind.name) == 0 and "not run" or "none"
    end
  end
  rows[#rows + 1] = row
end
page.table({ "solver", "bend, 10 %", "bend, 3 %", "twist, 10 %", "twist, 3 %", "hair, 10 %", "hair, 3 %" }, rows)

--- The fastest of some solvers within 3 % in a case.
local function best_of(case, names)
  local best, who
  for _, name in ipairs(names) do
    local run = quickest(case, name, 0.03)
    if run and (not best or run.time < best.time) then best, who = run, name end
  end
  return best, who
end
page.put("")
local direct_wins, cases_won = 0, 0
for _, case in ipairs{ "bend", "twist", "hair", "contact" } do
  local swept, who = best_of(case, { "pbd", "pbd-law", "xpbd" })
  local direct, direct_who = best_of(case, { "direct", "bergou" })
  if direct then
    cases_won = cases_won + 1
    local wins = not swept or direct.time < swept.time
    direct_wins = direct_wins + (wins and 1 or 0)
    page.put("- **{case}, within 3 %**: {direct} takes {t} a step; {swept}.", {
      case = case, direct = label_of(direct_who), t = page.si(direct.time, "s"),
      swept = not swept and "no position-based solver of these runs reaches this"
        or page.format("the fastest position-based solver ({who}, {d}) takes {u}, {f:%.1f} times as long", {
          who = label_of(who), d = division(swept), u = page.si(swept.time, "s"), f = swept.time / direct.time,
        }),
    })
  end
end
page.put(direct_wins == cases_won
  and "- **A direct method** is the fastest at 3 % in all of these. Position-based rods remain useful for recovering shapes if the\n"
    .. "  stiffness does not matter."
  or page.format("- **A direct method** is the fastest at 3 % in {w:%d} of {n:%d} of these.", { w = direct_wins, n = cases_won }))

local descent = quickest("bend", "block-descent", 0.03)
local single = find("bend", "block-descent", 1, 1)
page.put("- **block-descent** starts each step from the end of the last one, so its iterations determine how fast it comes to rest{found}.", {
  found = single.error > 0.03 and descent
      and page.format(": in bend, the error of one iteration is {one}, that of {d} {e}",
        { one = page.within(single.error), d = division(descent), e = page.within(descent.error) })
    or single.error <= 0.03 and ", and a single one suffices" or "",
})
local kept, lost = {}, {}
for _, kind in ipairs(kinds) do
  if turns[kind.name] then
    local list = keeps(kind.name) and kept or lost
    list[#list + 1] = kind.label
  end
end
page.put("- **Under twist** {kept} keep the six turns{lost}.{why}", {
  kept = #kept > 0 and table.concat(kept, "; ") or "none of them", lost = #lost > 0 and ", not " .. table.concat(lost, "; ") or "",
  why = not keeps("pbd") and keeps("xpbd") and " A projection of pbd turns a joint back by the sine of its angle, so half a\n"
    .. "  turn is no barrier, and a soft rod reaches it." or "",
})
