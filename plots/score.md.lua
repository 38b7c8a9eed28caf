page.put([[
# Answers to problems

Answers of each run and the certified references of the problems. Errors are relative to the length of the rod.
`viperbench score` prints the times of the steps on one machine.
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
