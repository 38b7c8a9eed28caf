-- SPDX-License-Identifier: GPL-3.0-or-later
-- Doors that are closed: see tests/script/test_bad_scenarios.c.

-- error: test.lua:1: attempt to index a nil value (global 'io')
io.open('/etc/passwd')

-- error: global 'os'
os.exit(0)

-- error: global 'package'
package.loadlib('x', 'y')

-- error: global 'debug'
debug.sethook()

-- error: global 'require'
require('x')

-- error: global 'coroutine'
coroutine.wrap(print)

-- error: global 'dofile'
dofile('/etc/passwd')

-- error: global 'loadfile'
loadfile('/etc/passwd')

-- error: global 'load'
load('x = 1')

-- error: global 'collectgarbage'
collectgarbage('stop')

-- error: global 'setmetatable'
setmetatable({}, {__gc = function() end})

-- error: global 'getmetatable'
getmetatable('')

-- error: global 'xpcall'
xpcall(print, print)

-- error: field 'dump'
string.dump(print)

-- error: method 'find'
return ('x'):find('x')

-- error: test.lua:1: string.format: there are no addresses (%p)
string.format('%5p', 'x')

-- error: test.lua:1: bad argument #1 to 'randomseed'
math.randomseed()

-- error: test.lua:1: include: "../octopus" is no name
include('../octopus')

-- error: include: scenarios/lib/no_such_file.lua: cannot be opened
include('no_such_file')

-- error: include: takes the name of a file
include(3)

-- error: test.lua:1: octopus: unknown key "orign"; known: E, E_tip, angular_velocity, loop, name, nu
include('octopus')(vb.scene{step = 1, steps = 1}, {orign = {}})
