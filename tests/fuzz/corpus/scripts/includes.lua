return { title = "t", includes = { "helix" }, if_there = { "nothing" } }
