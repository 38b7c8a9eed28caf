-- The page about work and precision: the fastest method for each accuracy, and the errors that remain at any number of
-- iterations.
local methods = { "direct", "xpbd", "block-descent", "jacobi-published" }
local cases = {
  { name = "stretch", title = "a bar stretched at once" },
  { name = "hang", title = "a falling rod" },
  { name = "time", title = "the falling rod, substeps of 2 iterations" },
}
local accuracies = { "0.1", "0.01", "0.0001", "0.000001" }

--- Root mean square distance of a run's nodes from those of the case's reference [m].
local function distance(run, reference)
  local sum = 0
  for i = 1, #reference do sum = sum + (run[i] - reference[i]) ^ 2 end
  return math.sqrt(sum / reference.rows)
end

local function wall_time(run)
  local sum = 0
  for _, t in ipairs(page.values(run, "timing/step")) do sum = sum + t end
  return sum
end

--- The runs of a case by a method, each with its count, distance and time, fewest iterations first.
local function runs_of(case, method)
  local list, prefix = {}, case .. "." .. method .. "."
  local reference = page.values(case .. ".reference", "frames/position[frame=-1]")
  for _, run in ipairs(page.find(prefix .. "*")) do
    local nodes = page.values(run, "frames/position[frame=-1]")
    list[#list + 1] = { count = run:sub(#prefix + 1), distance = distance(nodes, reference), time = wall_time(run) }
  end
  return list
end

--- The quickest run within an accuracy, or nil; the nearest run of all.
local function quickest(runs, accuracy)
  local best
  for _, run in ipairs(runs) do
    if run.distance <= accuracy and (not best or run.time < best.time) then best = run end
  end
  return best
end

local function nearest(runs)
  local best = runs[1]
  for _, run in ipairs(runs) do
    if run.distance < best.distance then best = run end
  end
  return best
end

page.put([[
# Work and precision

Error: root mean square distance of the nodes from a converged reference, at the end of the run, over the length of
the rod, 1 m. The tables list, for each error, the wall time of all steps of the fastest run within it, with its
iterations (or substeps) per step in parentheses. Double precision, one rod of {nodes:%d} nodes; written from recorded runs.
Each time is of a single run on the machine named in the figure: differences of a few percent mean nothing.

![work_precision](work_precision.svg)]],
  { nodes = page.values("hang.reference", "frames/position[frame=-1]").rows })

local nearest_of, wins = {}, {}
for _, case in ipairs(cases) do
  local runs, rows = {}, {}
  for _, method in ipairs(methods) do runs[method] = runs_of(case.name, method) end
  for _, accuracy in ipairs(accuracies) do
    local row, fastest = { accuracy .. " m" }, nil
    for _, method in ipairs(methods) do
      local found = quickest(runs[method], tonumber(accuracy))
      row[#row + 1] = found and page.format("{t:%.2f} ms ({n})", { t = 1e3 * found.time, n = found.count }) or "–"
      if found and (not fastest or found.time < fastest.time) then fastest = { method = method, time = found.time } end
    end
    row[#row + 1] = fastest and fastest.method or "none"
    if fastest then wins[fastest.method] = (wins[fastest.method] or 0) + 1 end
    rows[#rows + 1] = row
  end
  page.put("\n## {title}\n", case)
  page.table({ "within", "direct", "xpbd", "block-descent", "jacobi-published", "fastest" }, rows)
  nearest_of[case.name] = {}
  for _, method in ipairs(methods) do nearest_of[case.name][method] = nearest(runs[method]) end
end

page.put([[

In the first two cases the reference takes the same steps, so the error is that of solving the equations of a step. In
the third it takes many more substeps, so the error includes that of the time step. Least error of each method, over all
numbers of iterations (or substeps):
]])
local rows = {}
for _, method in ipairs(methods) do
  local row = { method }
  for _, case in ipairs(cases) do
    local run = nearest_of[case.name][method]
    row[#row + 1] = page.format("{d:%.1e} m ({n})", { d = run.distance, n = run.count })
  end
  rows[#rows + 1] = row
end
page.table({ "method", cases[1].title, cases[2].title, cases[3].title }, rows)

--- What limits a method, if its error is above 1e-4 m in both cases with equal steps.
local function stops(method, why)
  local a, b = nearest_of.stretch[method].distance, nearest_of.hang[method].distance
  if a > 1e-4 and b > 1e-4 then return page.format("{m} does not reach 0.0001 m: {why}.", { m = method, why = why }) end
  return page.format("{m} reaches 0.0001 m in {where}.",
    { m = method, where = a <= 1e-4 and b <= 1e-4 and "both" or a <= 1e-4 and "the first" or "the second" })
end

local most, best = 0, nil
for _, method in ipairs(methods) do
  if (wins[method] or 0) > most then most, best = wins[method], method end
end
local total = 0
for _, n in pairs(wins) do total = total + n end
page.put([[

In the first two cases:

- {a}
- {b}
- {c}
]], {
  a = stops("xpbd", "its fixed point is not the minimizer"),
  b = stops("block-descent", "its sweeps converge slowly for stiff segments"),
  c = stops("jacobi-published", "it converges to the minimizer with multiplied inertias"),
})
page.put("{best} is the fastest for {n:%d} of the {all:%d} errors above that any method reaches.",
  { best = best or "none", n = most, all = total })
