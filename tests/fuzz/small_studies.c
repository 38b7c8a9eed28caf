// SPDX-License-Identifier: GPL-3.0-or-later
#include "small_studies.h"

#include "fuzz.h"

static fuzz_file files[SMALL_STUDY_FILES] = {{.name = "rods.h5"},
                                             {.name = "rods-rods.h5"},
                                             {.name = "solid.h5"},
                                             {.name = "solid-solid.h5"}};

static const char RODS[] =
    "return { title = 'rods', parameters = { n = 4 }, build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = 2, gravity = {0, 0, -9.81} }\n"
    "  local stuff = { E = 1e6, nu = 0.4 }\n"
    "  local a = s:rod{ nodes = p.n, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1,\n"
    "    density = 1000, material = stuff, name = 'a' }\n"
    "  s:rod{ nodes = 3, from = {1, 0, 0}, to = {1, 0, 1}, radius = 0.1, density = 1000,\n"
    "    material = stuff, name = 'b' }\n"
    "  s:pin{ node = a.first, segment = a.first_segment,\n"
    "    driver = s:driver{ name = 'hand', x = { {0, 0}, {1, 1} } } }\n"
    "  s:load{ node = a.last, force = {1, 0, 0}, name = 'pull' }\n"
    "  s:halfplane{ normal = {0, 0, 1}, offset = -1, friction = 0.5 }\n"
    "  s:surface{ vertices = { {-0.1, -0.1, 0.5}, {0.1, -0.1, 0.5}, {0, 0.1, 0.5}, {0, 0, 0.8} },\n"
    "    triangles = { {0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3} }, segments = {-1, -1, -1, 1} }\n"
    "  s:record{ frames = 1, residual = true,\n"
    "    fields = {'position', 'scale', 'frame', 'velocity', 'vertices'} }\n"
    "  s:convergence{ iterations = {1, 2} }\n"
    "  s:solver{ iterations = 2, threads = 1, backend = 'cpu' }\n"
    "  s:gate{ name = 'low', quantity = 'energy/total', at_most = 1e9, reason = 'a test' }\n"
    "  return s end,\n"
    "  compare = { position = { absolute = 1e-6, reason = 'a test' } } }\n";

static const char SOLID[] = "return { title = 'solid', build = function()\n"
                            "  local s = vb.scene{ step = 1, steps = 1 }\n"
                            "  local mesh = vb.box{ to = {1, 1, 1}, cells = {1, 1, 1} }\n"
                            "  local b = s:mesh{ mesh = mesh, material = {E = 1e6, nu = 0.3}, "
                            "density = 1000, name = 'b' }\n"
                            "  s:pin{ nodes = b.faces.z0 }\n"
                            "  s:record{ frames = 1, fields = {'position', 'dilation'} }\n"
                            "  s:solver{ solver = 'neohookean', dynamics = 'static' }\n"
                            "  return s end }\n";

fuzz_file *small_studies_make(void) {
  char path[FUZZ_PATH];
  if (files[0].bytes)
    return files;
  fuzz_write("rods.lua", RODS, sizeof RODS - 1, path);
  fuzz_write("solid.lua", SOLID, sizeof SOLID - 1, path);
  fuzz_command("run @/rods.lua @/solid.lua --quiet --out @");
  for (size_t i = 0; i < SMALL_STUDY_FILES; i++)
    fuzz_file_keep(&files[i]);
  return files;
}
