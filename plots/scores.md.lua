-- The scores of all entries: a section for each problem, a column for each entry, each number linked to its run.
local function texts(path) return page.values(".", path) end
local entry, problem = texts("scores/entry"), texts("scores/problem")
local best, order = texts("scores/best"), texts("scores/order")
local seconds, all_seconds = texts("scores/best_time"), texts("scores/all_time")
local time, range = texts("scores/time"), texts("scores/range")
local run, settings, reason = texts("scores/best_run"), texts("scores/range_settings"), texts("scores/reason")

--- The values of a list without repetition, in their order.
local function unique(list)
  local seen, out = {}, {}
  for _, value in ipairs(list) do
    if not seen[value] then
      seen[value] = true
      out[#out + 1] = value
    end
  end
  return out
end

local function number(format, value)
  return value == value and page.format("{x:" .. format .. "}", { x = value }) or "-"
end

--- Where the case of "PROBLEM-CASE" begins; nil where there is none.
local function case_at(name)
  for i = 1, #name do
    if string.sub(name, i, i) == "-" then return i + 1 end
  end
end

local function problem_of(name)
  local i = case_at(name)
  return i and string.sub(name, 1, i - 2) or name
end

local function case_of(name)
  local i = case_at(name)
  return i and string.sub(name, i)
end

local entries, at = unique(entry), {}
for i = 1, #entry do at[entry[i] .. " " .. problem[i]] = i end

local cards = {}
for i = 1, #problem do cards[i] = problem_of(problem[i]) end
cards = unique(cards)

page.put([[
# Scores of entries on problems

An error is the greatest of the answers of a run, relative to the length of the rod; it links to its run. Times are those of
the steps on this machine, one run at a time. Do not compare times of different machines.

![error over time](scores.svg)
]])

local untimed = 0
for _, shared in ipairs(page.values(".", "scores/trials/shared")) do untimed = untimed + shared end
if untimed > 0 then
  page.put("{n:%d} runs have no time, since others were executed beside them (`--jobs`); `viperbench score` executes them again, one at a time.\n", { n = untimed })
end

--- Rows of one problem: each case with the text of `cell` for the score of each entry.
local function put_table(title, card, cell)
  local heads, rows = { title }, {}
  for _, name in ipairs(entries) do heads[#heads + 1] = page.format("[{n}]({n}.md)", { n = name }) end
  for _, name in ipairs(unique(problem)) do
    if problem_of(name) == card and case_of(name) then
      local row = { case_of(name) }
      for _, e in ipairs(entries) do
        local i = at[e .. " " .. name]
        row[#row + 1] = i and cell(i) or "-"
      end
      rows[#rows + 1] = row
    end
  end
  page.table(heads, rows)
  page.put("")
end

--- The cases of a problem in which the error of an entry is below 10 %: its range of stiffness.
local function put_ranges(card)
  local rows = {}
  for _, e in ipairs(entries) do
    local below, low, high, names = {}, nil, nil, {}
    for i = 1, #entry do
      if entry[i] == e and problem_of(problem[i]) == card and case_of(problem[i]) and best[i] <= 0.1 then
        below[#below + 1] = case_of(problem[i])
        low = math.min(low or 1e9, range[2 * i - 1])
        high = math.max(high or 0, range[2 * i])
        names[#names + 1] = settings[i]
      end
    end
    rows[#rows + 1] = {
      e, #below > 0 and table.concat(below, ", ") or "none",
      low and page.format("{a:%.0f} to {b:%.0f}", { a = low, b = high }) or "-", table.concat(unique(names), ", "),
    }
  end
  page.put("Error below 10 %:\n")
  page.table({ "entry", "cases", "segments", "settings" }, rows)
  page.put("")
end

local function put_failures(card)
  for i = 1, #entry do
    if problem_of(problem[i]) == card and reason[i] ~= "" then
      page.put("- {e}, {p}: {w}", { e = entry[i], p = problem[i], w = reason[i] })
    end
  end
end

for _, card in ipairs(cards) do
  page.put("\n## {p}\n", { p = card })
  put_table("least error", card, function(i)
    return run[i] ~= "" and page.format("[{x:%.1e}]({e}-{r}.h5)", { x = best[i], e = entry[i], r = run[i] }) or "failed"
  end)
  put_table("time in s, one thread (all)", card, function(i)
    return number("%.2g", seconds[i]) .. " (" .. number("%.2g", all_seconds[i]) .. ")"
  end)
  put_table("order", card, function(i) return number("%.1f", order[i]) end)
  put_table("time in s to 10 %, 1 %, 1e-3, 1e-4, 1e-6", card, function(i)
    local list = {}
    for k = 1, 5 do list[k] = number("%.1g", time[5 * (i - 1) + k]) end
    return table.concat(list, ", ")
  end)
  put_ranges(card)
  put_failures(card)
end
page.put("\n" .. page.footer)
