--- A deep copy of a table.
local function copy(from)
  local to = {}
  for key, value in pairs(from) do to[key] = type(value) == "table" and copy(value) or value end
  return to
end

return copy
