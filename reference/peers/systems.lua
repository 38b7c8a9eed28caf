-- The page about all systems, ours and other packages, by jobs: make systems joins the results of entries in systems.h5, and draws this.
return { title = "Which system for which job", figure = "./systems", build = function() end }
