local t = table.move({0}, 1, 1, 200000) for i = 1, 200000 do t[i] = 0 end
for i = 1, 1000000 do table.insert(t, 1, 0) end
