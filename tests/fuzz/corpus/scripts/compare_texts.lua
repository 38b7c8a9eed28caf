local a, b = ("x"):rep(20000000) .. "a", ("x"):rep(20000000) .. "b"
for i = 1, 100000 do local c = a < b end
