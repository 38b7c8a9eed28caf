-- SPDX-License-Identifier: GPL-3.0-or-later
-- Runs: see tests/script/test_bad_scenarios.c.

-- in: runs

-- error: "runs" must return a list of runs, not a number
3

-- error: "runs" returned no run
{}

-- error: run 1: must be a table
{3}

-- error: run 1: needs "name"
{{}}

-- error: run 1: "name" is "a b"; it must be of letters
{{name = 'a b'}}

-- error: "name" is "../a"
{{name = '../a'}}

-- error: run "a": there are two runs of that name
{{name = 'a'}, {name = 'a'}}

-- error: run "a": unknown key "lable"; did you mean "label"?
{{name = 'a', lable = 'x'}}

-- error: did you mean "method"?
{{name = 'a', methd = 'x'}}

-- error: run "a"
{{name = 'a', method = 'x'}}

-- error: run "a"
{{name = 'a', solver = 'x'}}

-- error: run "a": unknown parameter "m"
{{name = 'a', parameters = {m = 3}}}

-- error: run "a": parameter "n" must be a number, not a string
{{name = 'a', parameters = {n = 'x'}}}

-- error: "parameters" must be a table
{{name = 'a', parameters = 3}}

-- error: did you mean "cantilever"?
{{name = 'a', scenario = 'cantilevr'}}

-- error: there is no study "/etc/passwd"
{{name = 'a', scenario = '/etc/passwd'}}
