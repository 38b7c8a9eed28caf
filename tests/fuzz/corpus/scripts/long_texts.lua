local s = ("x"):rep(20000000)
for i = 1, 100000 do local t = s:upper() end
