return { title = "\27[31mred", figure = "../../sec/evil", build = function() return vb.scene{ step = 1, steps = 1 } end }
