error("a\27[2Jb\nc\0d")
