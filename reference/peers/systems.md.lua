-- Which system for which job: the quickest to each accuracy, what each can do, its times, and what breaks. All numbers are
-- those of systems.py; the jobs are this page's grouping of problems.
local jobs = {
  { "Bend in a plane, in equilibrium", { "elastica", "heavy_cantilever", "roll_up", "column" } },
  { "Bend and twist in space, in equilibrium", { "bend_45", "curved_rod", "helical_spring", "twist_under_tension", "michell_ring" } },
  { "Hang as a rope or chain", { "elastic_catenary", "hanging_chain" } },
  { "Vibrate, and carry waves", { "vibrating_cantilever", "stretch_wave", "twist_wave", "radius_wave" } },
  { "Fly and turn fast", { "flying_rod_round", "spin_up", "free_top", "drift" } },
  { "Fall and whip as a chain of links", { "folded_chain", "whip" } },
  { "Flutter under follower loads", { "beck", "ziegler" } },
  { "Slide, stick and roll with friction", { "rolling", "crossing", "capstan", "stick" } },
  { "Lie on the ground, in a pile, and in a knot", { "laid_rope", "coiled_rope", "pile", "knot" } },
  { "Change thickness: bars and muscles", { "held_bar", "pinch", "contracting_muscle" } },
  { "A flat band, twisted", { "twisted_band" } },
  { "Many rods at once", { "crowd" } },
}
local levels = { "10", "1", "01" }
local level_heads = { "10 %", "1 %", "1e-3" }

local function list(path) return page.values(".", "scores/" .. path) end

local names, long_names, takes, breaks, machines = list("name"), list("long_name"), list("takes"), list("breaks"), list("machine")
local of_machine, of_system, of_problem = list("row/machine"), list("row/system"), list("row/problem")
local best, file, time = list("row/best"), list("row/file"), {}
for k, level in ipairs(levels) do time[k] = list("row/time_" .. level) end

--- The problem of "PROBLEM-CASE".
local function problem_of(name)
  for i = 1, #name do
    if name:sub(i, i) == "-" then return name:sub(1, i - 1) end
  end
  return name
end

--- Adds to the jobs what no job has.
local has = {}
for _, job in ipairs(jobs) do
  for _, problem in ipairs(job[2]) do has[problem] = true end
end
local rest = {}
for i = 1, #of_problem do
  local problem = problem_of(of_problem[i])
  if not has[problem] then
    has[problem] = true
    rest[#rest + 1] = problem
  end
end
if #rest > 0 then jobs[#jobs + 1] = { "Others", rest } end

--- Milliseconds with two digits.
local function ms(t)
  if t ~= t then return "–" end
  t = 1e3 * t
  if t >= 100 then return page.format("{t:%.0f}", { t = t }) end
  local digits = math.max(0, 1 - math.floor(math.log(t, 10)))
  return page.format("{t:%." .. math.tointeger(digits) .. "f}", { t = t })
end

--- Cases of a job on a machine in their order, and the rows by system: `of[system][case]` is a row's number.
local function table_of(job, machine)
  local cases, of, systems, seen = {}, {}, {}, {}
  for _, problem in ipairs(job[2]) do
    for i = 1, #of_problem do
      if of_machine[i] == machine and problem_of(of_problem[i]) == problem then
        local case, system = of_problem[i], of_system[i]
        if not seen[case] then
          seen[case] = true
          cases[#cases + 1] = case
        end
        if not of[system] then
          of[system] = {}
          systems[#systems + 1] = system
        end
        of[system][case] = i
      end
    end
  end
  return cases, of, systems
end

--- How many of the cases a system solves to a level, and the sum of its times.
local function reached(cases, of, k)
  local count, sum = 0, 0
  for _, case in ipairs(cases) do
    local t = of[case] and time[k][of[case]]
    if t == t and t then
      count, sum = count + 1, sum + t
    end
  end
  return count, sum
end

--- The systems that solve most of the cases to a level, the quickest of them first; of equal numbers of cases, by the sum of times.
local function ranked(cases, of, systems, k)
  local order = {}
  for _, system in ipairs(systems) do
    local count, sum = reached(cases, of[system], k)
    if count > 0 then order[#order + 1] = { system, count, sum } end
  end
  table.sort(order, function(a, b)
    if a[2] ~= b[2] then return a[2] > b[2] end
    if a[3] ~= b[3] then return a[3] < b[3] end
    return a[1] < b[1]
  end)
  return order
end

page.put([[
# Which system for which job

Every system solves every problem that it takes ([problems](../scenarios/problems.md)): our solvers by their entries, other
packages by their adapters ([which](../reference/peers/README.md)). A job is a group of problems. Times are wall times of
the steps in ms, on one thread, to the solution of a case within 10 %, 1 % and 0.1 %; of other packages inside of their own
calls, without compilation and model. Times on other machines are in tables of their own, and are not compared. How to read
this: [reference/peers](../reference/peers/README.md#which-system-for-which-job).

![time to 1 %](systems.svg)
]])

--- The systems that are the quickest on a case of a job to a level, those of most cases first, with the range of their times; and the
--- number of cases that nobody solves.
local function firsts(cases, of, systems, k)
  local won, order, lost = {}, {}, 0
  for _, case in ipairs(cases) do
    local first, least
    for _, system in ipairs(systems) do
      local t = of[system][case] and time[k][of[system][case]]
      if t and t == t and (not least or t < least) then first, least = system, t end
    end
    if not first then
      lost = lost + 1
    else
      if not won[first] then
        won[first] = { count = 0, low = least, high = least }
        order[#order + 1] = first
      end
      local w = won[first]
      w.count, w.low, w.high = w.count + 1, math.min(w.low, least), math.max(w.high, least)
    end
  end
  table.sort(order, function(a, b)
    if won[a].count ~= won[b].count then return won[a].count > won[b].count end
    return a < b
  end)
  local words = {}
  for i, system in ipairs(order) do
    local w = won[system]
    words[i] = page.format("{s} {n:%d} ({low}{high})", { s = system, n = w.count, low = ms(w.low), high = w.count > 1 and " to " .. ms(w.high) or "" })
  end
  if lost > 0 then words[#words + 1] = page.format("nobody {n:%d}", { n = lost }) end
  return table.concat(words, "; ")
end

local function put_jobs(machine)
  local rows = {}
  for _, job in ipairs(jobs) do
    local cases, of, systems = table_of(job, machine)
    if #cases > 0 then
      local row = { job[1], page.format("{n:%d}", { n = #cases }) }
      for k = 1, #levels do row[#row + 1] = firsts(cases, of, systems, k) end
      rows[#rows + 1] = row
    end
  end
  page.table({ "job", "cases", table.unpack(level_heads) }, rows)
end

local function put_cases(job, machine)
  local cases, of, systems = table_of(job, machine)
  if #cases == 0 then return end
  page.put("\n#### {job}\n", { job = job[1] })
  local rows, order = {}, ranked(cases, of, systems, 1)
  local listed = {}
  for _, one in ipairs(order) do listed[one[1]] = true end
  for _, system in ipairs(systems) do
    if not listed[system] then order[#order + 1] = { system } end
  end
  for _, one in ipairs(order) do
    local row = { one[1] }
    for _, case in ipairs(cases) do
      local i = of[one[1]][case]
      row[#row + 1] = not i and "" or page.format("{a} / {b} / {c} ([{e:%.1e}]({f}))", {
        a = ms(time[1][i]), b = ms(time[2][i]), c = ms(time[3][i]), e = best[i], f = file[i],
      })
    end
    rows[#rows + 1] = row
  end
  page.table({ "system", table.unpack(cases) }, rows)
end

for m, machine in ipairs(machines) do
  page.put("\n## On {m}\n\nThe quickest systems, each with the number of cases on which it is, and its times there [ms].\n", { m = machine })
  put_jobs(m - 1)
  page.put("\n### Times [ms] to 10 % / 1 % / 1e-3, and the least error\n\nEmpty: the system does not take the problem. –: no run of it"
    .. " is as accurate.")
  for _, job in ipairs(jobs) do put_cases(job, m - 1) end
end

page.put([[

## What each can do

What the solver declares to take in a scene, and on how many cases of problems it was run; how many of them it solved within
10 %, 1 % and 0.1 %, on the machine above.
]])
local rows = {}
for s, name in ipairs(names) do
  local n, within = 0, { 0, 0, 0 }
  for i = 1, #of_system do
    if of_system[i] == name and of_machine[i] == 0 then
      n = n + 1
      for k = 1, #levels do
        if time[k][i] == time[k][i] then within[k] = within[k] + 1 end
      end
    end
  end
  rows[#rows + 1] = {
    name, long_names[s], takes[s], page.format("{n:%d}", { n = n }),
    page.format("{a:%d}, {b:%d}, {c:%d}", { a = within[1], b = within[2], c = within[3] }),
  }
end
page.table({ "system", "solver", "takes", "cases", "within 10 %, 1 %, 1e-3" }, rows)

page.put([[

## What breaks

Cases that a system takes, but never solves within 10 %; runs that diverged; and reasons why its author does not give it a problem.
]])
for s, name in ipairs(names) do page.put("- **{n}**: {b}.", { n = name, b = breaks[s] ~= "" and breaks[s] or "nothing here" }) end
page.put("\n" .. page.footer)
