-- The page about other packages of rods: what each can do, and its error over wall time on each problem.
-- Runs are called peer_PEER-PROBLEM-nN (join.py); gates allow a millionth of the length.
local levels = { 0.1, 0.01, 1e-3, 1e-4 }

--- Peers in their order: the name on the page, the adapter ("" for our own solvers), and what is modeled. What they are not run on,
--- and why, is told by their entries.
local about = {
  viper = { "viper, published", "", "stretch, shear, bending, twist; statics by Newton's method" },
  solid = { "viper, solid", "", "the same with the stiffness of a solid rod; motions by the midpoint rule and bdf2, contact" },
  xpbd = { "viper, xpbd", "", "the published model by sweeps over constraints, damped to rest" },
  umetani = { "umetani, xpbd", "", "stretch, bending, twist by sweeps over points and ghost points, damped to rest" },
  neohookean = { "Neo-Hookean", "", "a square prism of quadratic tetrahedra in place of the rod, statics" },
  cosserat = { "cosserat", "", "stretch, shear, bending, twist; finite elements, statics by Newton's method" },
  pyelastica = { "PyElastica", "pyelastica.py", "stretch, shear, bending, twist; explicit, damped to rest or in motion" },
  exudyn = {
    "Exudyn", "exudyn_beams.py", "stretch, shear, bending, twist (beams), or stretch and bending (cables); statics, motions",
  },
  pypbd = { "pypbd, direct", "pypbd_rods.py", "bending, twist; rigid segments by positions, damped to rest" },
  newton = {
    "Newton, VBD", "newton_cables.py", "stretch, shear, bending, twist; vertex block descent, damped to rest; rigid bodies in contact",
  },
  mujoco = {
    "MuJoCo cables", "mujoco_cables.py", "bending, twist; joints, damped to rest; chains with hinges, rigid bodies in contact",
  },
}
local titles = {
  ["elastica"] = "elastica", ["heavy_cantilever"] = "heavy cantilever", ["roll_up"] = "roll-up", ["bend_45"] = "45 degree bend",
  ["helical_spring"] = "helical spring", ["elastic_catenary"] = "elastic catenary",
  ["column"] = "column, critical load", ["twist_under_tension"] = "twist under tension, critical angle", ["michell_ring"] = "Michell's ring, critical twist",
  ["hanging_chain"] = "hanging chain", ["vibrating_cantilever"] = "vibrating cantilever",
  ["flying_rod_round"] = "flying rod", ["spin_up"] = "spin-up", ["stretch_wave"] = "wave of stretch", ["twist_wave"] = "wave of twist",
  ["whip"] = "whip", ["rolling"] = "rolling cylinder", ["crossing"] = "crossing rods", ["capstan"] = "capstan", ["crowd"] = "crowd of heavy cantilevers",
}

--- The text before and the text after the first, or the last, occurrence of a mark.
local function split(text, mark, from_end)
  local first, last, step = 1, #text - #mark + 1, 1
  if from_end then first, last, step = last, first, -1 end
  for i = first, last, step do
    if text:sub(i, i + #mark - 1) == mark then return text:sub(1, i - 1), text:sub(i + #mark) end
  end
  return text, ""
end

local function parts(run)
  local rest, n = split(run, "-n", true)
  local peer, problem = split(rest, "-")
  local segments, setting = split(n, "-")
  return peer:sub(#"peer_" + 1), problem, tonumber(segments), setting
end

local function sum(run, path)
  local total = 0
  for _, value in ipairs(page.values(run, path)) do total = total + value end
  return total
end

--- Median and quartiles of the times of a run's steps [s].
local function quartiles(run, path)
  local t = page.values(run, path)
  table.sort(t)
  local function at(part) return t[math.max(1, math.ceil(part * #t))] end
  return at(0.5), at(0.25), at(0.75)
end

--- All runs by peer and problem, each with segments, error, time and times of preparation.
local peers, problems, runs = {}, {}, {}
for _, run in ipairs(page.runs) do
  local peer, problem, n, setting = parts(run)
  if not runs[peer] then
    peers[#peers + 1], runs[peer] = peer, {}
  end
  if not runs[problem] then
    problems[#problems + 1], runs[problem] = problem, true
  end
  local inside = page.has(run, "timing/phases/package") and "timing/phases/package" or "timing/step"
  local one = { name = run, n = n, setting = setting, time = sum(run, inside), path = inside, error = 0 }
  one.prepared = page.has(run, "timing/phases/preparation") and sum(run, "timing/phases/preparation") or nil
  for _, gate in ipairs(page.gates(run)) do
    local error = math.abs(gate.value - gate.reference) / (1e6 * gate.tolerance)
    if not (error <= one.error) then one.error = error end -- nan, too, of a run that diverged
  end
  runs[peer][problem] = runs[peer][problem] or {}
  table.insert(runs[peer][problem], one)
end

local function link(run, text) return "[" .. text .. "](" .. run.name .. ".h5)" end

--- The quickest run within an error, or nil.
local function quickest(list, error)
  local best
  for _, run in ipairs(list or {}) do
    if run.error <= error and (not best or run.time < best.time) then best = run end
  end
  return best
end

page.put([[
# Other packages of rods, under the same gates

Every package solves every problem that it models ([problems](../scenarios/problems.md)), with settings that its own
documentation or examples recommend; the head of each adapter says how stiffness, mass and damping map, which settings are
swept, and what is unfair in either direction. Each adapter has a test: one example that the package's authors published
agrees, and planted wrong mappings are found.

Errors are the greatest of the answers, over the length of the rod or the scale of the answer; of the column, that of its
critical load. Times are wall time inside the package's own calls, on
one thread, without its preparation (compilation, model, imports), on one machine in one sitting. Each number links its
run, in which are options, versions, states and times; `viperbench report FILE` shows its motion. [All problems with their
motion](peers.html).

![error over wall time](peers.svg)

## The peers
]])
local rows = {}
for _, peer in ipairs(peers) do
  local known, of = about[peer] or { peer, "", "" }, {}
  for _, problem in ipairs(problems) do
    if runs[peer][problem] then of[#of + 1] = problem end
  end
  local first = runs[peer][of[1]][1]
  local without = page.parameter(first.name, "without") or ""
  rows[#rows + 1] = {
    known[1], page.values(first.name, "solver/long_name")[1], known[3],
    page.format("{n:%d} of {all:%d}{absent}", {
      n = #of, all = #problems, absent = without ~= "" and "; not " .. without or "",
    }),
    known[2] == "" and page.format("`viperbench run reference/peers/entries/peer_{peer}.lua`", { peer = peer })
      or page.format("`make peers PEERS={peer}`", { peer = peer }),
  }
end
page.table({ "peer", "version", "what it models here", "problems", "to run its rows again" }, rows)

--- Why ours is not first where it is not, by problems; numbers are added by `measured`.
local rigid = " A rigid body has six unknowns there; ours solves for two nodes and a frame, and passes over contacts several times in a step."
local cubic = " Cubic elements are of higher order than segments."
local why_not_first = {
  rolling = rigid, crossing = rigid, hanging_chain = cubic, elastic_catenary = cubic, elastica = cubic, heavy_cantilever = cubic, column = cubic,
  capstan = " Its joints neither stretch nor shear; ours resolves the stretch of the rope, and passes over contacts several times in a step.",
  roll_up = " A joint that resists its angle is exact where a moment alone bends it; the published energy takes twice the sine of half"
    .. " that angle, so that circles of few segments are too soft.",
  twist_wave = " An explicit step is cheap, and as long as the wave allows.",
  whip = " Its unknowns are angles of rigid links, which need no stiff stretch, and RK4 is of fourth order.",
  vibrating_cantilever = " The frequency of its elements is nearer to the continuum's.",
}

local function is_ours(peer) return (about[peer] or { "", "" })[2] == "" end

--- What a run took: segments, error, steps and their median.
local function took(run)
  return page.format("{n:%d} segments: off by {error:%.1e} after {steps:%d} steps of {each}", {
    n = run.n, error = run.error, steps = #page.values(run.name, run.path), each = page.si((quartiles(run.name, run.path)), "s", 2),
  })
end

--- The numbers behind a peer's being first by `run`: what it took, and of ours the nearest of as many segments.
local function measured(problem, run)
  local nearest, who
  for _, peer in ipairs(peers) do
    for _, other in ipairs(is_ours(peer) and runs[peer][problem] or {}) do
      local closer = nearest and math.abs(other.n - run.n) - math.abs(nearest.n - run.n)
      if other.error == other.error and (not nearest or closer < 0 or closer == 0 and other.error < nearest.error) then
        nearest, who = other, about[peer][1]
      end
    end
  end
  return " Its " .. took(run) .. (nearest and "; " .. who .. ", " .. took(nearest) or "") .. "."
end

--- Rows of the quickest of ours and of the quickest peer to each accuracy.
local wins, decided, beside = {}, 0, {}
local function quicker(old, run, peer)
  if run and (not old or run.time < old.time) then return { peer = peer, time = run.time } end
  return old
end

for _, problem in ipairs(problems) do
  local title, case = split(problem, "-", true)
  page.put("\n## {title} ({case})\n", { title = titles[title] or title, case = case })
  rows = {}
  local best = {}
  for _, peer in ipairs(peers) do
    local list = runs[peer][problem]
    if list then
      local row, nearest = { (about[peer] or { peer })[1] }, list[1]
      for _, run in ipairs(list) do
        if run.error < nearest.error or nearest.error ~= nearest.error then nearest = run end
      end
      for k, level in ipairs(levels) do
        local run, side = quickest(list, level), is_ours(peer) and "ours" or "theirs"
        beside[problem] = beside[problem] or {}
        beside[problem][k] = beside[problem][k] or {}
        beside[problem][k][side] = quicker(beside[problem][k][side], run, peer)
        row[#row + 1] = run and link(run, page.si(run.time, "s", 2)) .. page.format(" ({n:%d})", run) or "–"
        if run and (not best[level] or run.time < best[level].time) then best[level] = { peer = peer, time = run.time, run = run } end
      end
      row[#row + 1] = link(nearest, page.format("{error:%.1e} ({n:%d})", nearest))
      local median, low, high = quartiles(nearest.name, nearest.path)
      row[#row + 1] = page.format("{m} ({l} to {h})", { m = page.si(median, "s", 2), l = page.si(low, "s", 2), h = page.si(high, "s", 2) })
      row[#row + 1] = nearest.prepared and page.si(nearest.prepared, "s", 2) or "–"
      rows[#rows + 1] = row
    end
  end
  page.table({ "peer", "10 %", "1 %", "1e-3", "1e-4", "least error (segments)", "a step of it (quartiles)", "preparation" }, rows)
  for _, level in ipairs(levels) do
    if best[level] then
      decided = decided + 1
      wins[best[level].peer] = (wins[best[level].peer] or 0) + 1
      if about[best[level].peer] and about[best[level].peer][2] ~= "" then
        page.put("\nTo {level:%g}, {peer} is first: none of ours is as quick.{why}{numbers}", {
          level = level, peer = about[best[level].peer][1], why = why_not_first[split(problem, "-")] or "",
          numbers = measured(problem, best[level].run),
        })
      end
    end
  end
end

page.put("\n## Who is first\n\nOf the {n:%d} accuracies above that anybody reaches:\n", { n = decided })
for _, peer in ipairs(peers) do
  if wins[peer] then page.put("- {peer} is the quickest to {n:%d}.", { peer = (about[peer] or { peer })[1], n = wins[peer] }) end
end
--- The time of a side to an accuracy, and whose it is.
local function told(best) return best and page.format("{t} {who}", { t = page.si(best.time, "s", 2), who = (about[best.peer] or { best.peer })[1] }) or "–" end

page.put("\n## At each accuracy: our quickest method, and the quickest other package\n\nWhere the other is first, it is bold.\n")
rows = {}
for _, problem in ipairs(problems) do
  local title, case = split(problem, "-", true)
  local row = { page.format("{t} ({c})", { t = titles[title] or title, c = case }) }
  for k = 1, #levels do
    local two = (beside[problem] or {})[k] or {}
    local behind = two.theirs and (not two.ours or two.theirs.time < two.ours.time)
    row[#row + 1] = told(two.ours) .. "; " .. (behind and "**" or "") .. told(two.theirs) .. (behind and "**" or "")
  end
  rows[#rows + 1] = row
end
page.table({ "problem", "10 %", "1 %", "1e-3", "1e-4" }, rows)

--- The run of a peer by its number of segments, or nil.
local function run_by(peer, problem, n)
  for _, run in ipairs((runs[peer] or {})[problem] or {}) do
    if run.n == n and run.setting == "" then return run end
  end
end

local plane, space = run_by("mujoco", "elastica-10", 64), run_by("mujoco", "helical_spring-50", 64)
local our_plane, our_space = run_by("viper", "elastica-10", 64), run_by("viper", "helical_spring-50", 64)
if plane and space and our_plane and our_space then
  page.put("\n## Bending and twist together in MuJoCo's cables\n\nThe torque of its plugin is the stiffness times the rotation"
    .. " vector of a joint, which derives from no energy where bending\nand twist differ. Of 64 segments its error is"
    .. " {plane:%.1f} times viper's in the plane (elastica), and {space:%.1f} times where\nboth act (helical spring).",
    { plane = plane.error / our_plane.error, space = space.error / our_space.error })
end

page.put("\n" .. page.footer)
