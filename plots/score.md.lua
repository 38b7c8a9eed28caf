page.put([[
# Answers to problems

Answers of each run beside the certified references of the problems; the error is over the length of the rod. Times are
those of the steps on one machine, and are told by `viperbench score`.
]])

local rows = {}
for _, gate in ipairs(page.gates("*", "*")) do
  local length = 1e6 * gate.tolerance
  rows[#rows + 1] = {
    gate.runs, gate.name, page.format("{x:%.9g}", { x = gate.value }), page.format("{x:%.9g}", { x = gate.reference }),
    page.format("{x:%.1e}", { x = math.abs(gate.value - gate.reference) / length }),
  }
end
page.table({ "run", "answer", "value", "reference", "error" }, rows)
page.put("\n" .. page.footer)
