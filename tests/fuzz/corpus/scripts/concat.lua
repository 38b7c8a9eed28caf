local t = {} for i = 1, 5000 do t[i] = ("y"):rep(1000) end
while true do local s = table.concat(t, ("z"):rep(1000)) end
