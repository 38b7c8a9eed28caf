local t, long = { [math.maxinteger] = 'x', [3] = 1 }, ('x'):rep(1 << 20)
for i = 1, 1000 do t[i] = long end
pcall(table.concat, t, long)
pcall(table.concat, t, '', math.maxinteger, math.maxinteger)
pcall(table.concat, t, '', math.mininteger)
return { title = tostring(t) .. string.format('%s', print), build = function()
  local s = vb.scene{ step = 1, steps = 1 }
  s:name{ node = s:node{ position = {0, 0, 0}, radius = 1 }, name = tostring(s) .. tostring(s.rod) }
  return s end }
