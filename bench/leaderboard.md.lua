-- The page of the leaderboard: of each task the fastest setting of each method within each error.
local methods = { "direct", "xpbd", "block-descent" }
local tasks = {
  { name = "rod", title = "A falling rod", about = "One rod of 32 segments, clamped at one end, falls for half a second." },
  { name = "bar", title = "A stretched bar", about = "One bar of 32 segments is stretched by half in half a second." },
  { name = "rods", title = "A hundred rods", about = "A hundred of the falling rods, side by side." },
  { name = "crowd", title = "Octopuses that land", about = "Octopuses fall onto the ground for a fifth of a second." },
  { name = "band", title = "A band", about = "Three bundled rods are stretched by a fifth and turned by a quarter of a turn in a second." },
  { name = "cable", title = "A long cable", about = "A cable of 256 segments, held at both ends, falls for half a second." },
}
local levels = { { 0.1, "10 %" }, { 0.01, "1 %" }, { 1e-3, "1e-3" }, { 1e-6, "1e-6" } }

local function positions(run, frame) return page.values(run, "frames/position[frame=" .. frame .. "]") end

--- Root mean square distance of the nodes in `a` from those in `b`, and the greatest [m].
local function distance(a, b)
  local sum, most = 0, 0
  for i = 1, #a, 3 do
    local d = (a[i] - b[i]) ^ 2 + (a[i + 1] - b[i + 1]) ^ 2 + (a[i + 2] - b[i + 2]) ^ 2
    sum, most = sum + d, math.max(most, d)
  end
  return math.sqrt(sum / (#a / 3)), math.sqrt(most)
end

local function wall_time(run)
  local times, sum = page.values(run, "timing/step"), 0
  for i = 1, #times do sum = sum + times[i] end
  return sum, #times
end

--- The runs of a task by a method: setting, error, time; and those that diverged.
local function runs_of(task, method, reference, scale)
  local list, lost, prefix = {}, {}, task .. "." .. method .. "."
  for _, run in ipairs(page.find(prefix .. "*")) do
    local setting = run:sub(#prefix + 1)
    if page.attribute(run, "run", "status") == "complete" then
      local time, steps = wall_time(run)
      list[#list + 1] = { name = run, setting = setting, error = distance(positions(run, -1), reference) / scale, time = time, steps = steps }
    else
      lost[#lost + 1] = setting
    end
  end
  return list, lost
end

local function quickest(runs, level)
  local best
  for _, run in ipairs(runs) do
    if run.error <= level and (not best or run.time < best.time) then best = run end
  end
  return best
end

local function least(runs)
  local best
  for _, run in ipairs(runs) do
    if not best or run.error < best.error then best = run end
  end
  return best
end

page.put([[
# Leaderboard

On each task, the wall time of all steps of the fastest run within an error, with its integrator and substeps x iterations.
The error is the distance of the nodes from those of a reference at the end, root mean square, over the greatest displacement.
The reference has the same segments, and many substeps of Newton's method; how far it is from one with half as many is told
with each task, and no error below three times that is listed. Material model `solid`, double precision, strict arithmetic.
Each time is of a single run, alone on this machine; differences of a few percent mean nothing. DOF Hz: degrees of freedom
times steps a second of the fastest run, at that error. Other packages on problems with certified answers are in the page
that `make peers` writes.

![leaderboard](leaderboard.svg)]])

for _, task in ipairs(tasks) do
  local reference, first = positions(task.name .. ".reference", -1), positions(task.name .. ".reference", 0)
  local _, scale = distance(reference, first)
  local bar = distance(positions(task.name .. ".half", -1), reference) / scale
  local rows, runs, lost = {}, {}, {}
  for _, method in ipairs(methods) do
    local gone
    runs[method], gone = runs_of(task.name, method, reference, scale)
    for _, setting in ipairs(gone) do lost[#lost + 1] = method .. " " .. setting end
  end
  local freedoms = 4 * #reference / 3 + #page.values(task.name .. ".reference", "frames/frame[frame=-1]") / 4 * 3
  for _, level in ipairs(levels) do
    local row, first_of = { level[2] }, nil
    for _, method in ipairs(methods) do
      local best = level[1] >= 3 * bar and quickest(runs[method], level[1]) or nil
      row[#row + 1] = best and page.format("[{t}](leaderboard-{n}.h5) ({s})", { t = page.si(best.time, "s", 2), n = best.name, s = best.setting }) or "–"
      if best and (not first_of or best.time < first_of.time) then first_of = { method = method, time = best.time, steps = best.steps } end
    end
    row[#row + 1] = first_of and first_of.method or "none"
    row[#row + 1] = first_of and page.format("{v:%.2g}", { v = freedoms * first_of.steps / first_of.time }) or "–"
    rows[#rows + 1] = row
  end
  local row = { "least error" }
  for _, method in ipairs(methods) do
    local best = least(runs[method])
    row[#row + 1] = best and page.format("{e:%.1e} ({s})", { e = best.error, s = best.setting }) or "–"
  end
  row[#row + 1], row[#row + 2] = "", ""
  rows[#rows + 1] = row
  page.put("\n## {title}\n\n{about} {n:%d} degrees of freedom; the reference is known to {bar:%.1e}.\n",
    { title = task.title, about = task.about, n = freedoms, bar = bar })
  page.table({ "within", "direct", "xpbd", "block-descent", "fastest", "DOF Hz" }, rows)
  if #lost > 0 then page.put("\nDiverged: {list}.", { list = table.concat(lost, ", ") }) end
end
