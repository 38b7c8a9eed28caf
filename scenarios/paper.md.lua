-- The page about the paper's figures: what is seen, with the numbers. What it concludes is chosen by gates and values.
local bars, crowd = "stretch_bars-n32", "octopus_skins-crowd"

local function last(run, path) return (page.last(run, path)) end
local function most(run, path) return (page.maximum(run, path)) end
local function code(text) return "`" .. text .. "`" end
local function picture(name)
  return page.picture(name) and page.format("![{n}]({n}.svg)", { n = name })
    or page.format("(The picture of the study {n} is not here.)", { n = name })
end
local function value(run, name) return page.gate(run, name).value end
local function iterations(run) return page.values(run, "solver/iterations")[1] end

--- Gates of several patterns of runs in one list.
local function gates_of(...)
  local list = {}
  for _, runs in ipairs{ ... } do
    for _, gate in ipairs(page.gates(runs)) do list[#list + 1] = gate end
  end
  return list
end

--- What a list of gates says: that a result agrees with them, or how many it misses.
local function judged(list)
  local passed = page.count(list)
  if #list == 0 then return "not judged by any gate" end
  if passed == #list then return page.format("agrees ({n:%d} of {n:%d} gates)", { n = passed }) end
  return page.format("misses {missed:%d} of {n:%d} gates", { missed = #list - passed, n = #list })
end

--- The greatest distance of the values of gates from their references.
local function apart(list)
  local greatest = 0
  for _, gate in ipairs(list) do
    local d = math.abs(gate.value - gate.reference)
    if not (d <= greatest) then greatest = d end
  end
  return greatest
end

local function passed(run, name) return page.gate(run, name).passed end

-- ---- the head ----

local all = page.gates()
local n_passed, n_findings, n_failed = page.count(all)
page.put([[
# The paper's figures

Angles et al. 2019, *VIPER: Volume Invariant Position-based Elastic Rods*. Written by `viperbench run paper`
and `viperbench plot paper` from recorded runs; numbers and verdicts are computed from them.

{sheet}

{muscles}

{passed:%d} of {n:%d} gates of the studies behind these figures passed; {findings:%d} of the others are findings
about the model, the paper's claims or the published solver, {failed:%d} are failures.

## At a glance

The paper's claims are in our words. The last column is the command that makes the numbers.
]], {
  sheet = picture("paper"), muscles = picture("paper_muscles"), passed = n_passed, n = #all, findings = n_findings,
  failed = n_failed,
})

-- ---- at a glance ----

local rows = {}
local function entry(figure, claim, ours, verdict, study)
  rows[#rows + 1] = { figure, claim, ours, verdict, code("viperbench run " .. study) }
end

local published = "stretch_bars-clamped-published"
entry("5", "bars get thinner as they are stretched, thicker as they are compressed, more so where volume is stiffer",
  page.format("between ends that keep their section the middle of the bar of kv = 50 kz has the scale {a:%.3f} stretched to 2 and "
    .. "{b:%.3f} compressed to 0.7; volume alone asks for {c:%.3f} and {d:%.3f}; the published solver comes to {e:%.3f} and "
    .. "{f:%.3f} in {n} iterations", {
      a = value("stretch_bars-clamped", "stretched between held ends, kv = 50 kz"),
      b = value("stretch_bars-clamped", "compressed between held ends, kv = 50 kz"),
      c = 1 / math.sqrt(2), d = 1 / math.sqrt(0.7),
      e = value(published, "stretched between held ends, kv = 50 kz"),
      f = value(published, "compressed between held ends, kv = 50 kz"), n = iterations(published),
    }),
  page.format("converged, it {a}; the published solver {b}",
    { a = judged(gates_of(bars, "stretch_bars-clamped")), b = judged(gates_of(published)) }), "stretch_bars")

local crest = most("bergou-pulse-viper", "frames/scale[50%]")
local published_crest = most("shockwave-pulse-published", "frames/scale[50%]")
-- A wave that keeps less than a tenth of the crest of the converged one has not arrived.
local arrives = published_crest - 1 > 0.1 * (crest - 1)
entry("6", "a disturbance of the radius runs along a rod",
  page.format("a crest of the scale of {crest:%.3f} passes the middle; with the published solver ({n} iterations, relaxation {w}) "
    .. "{what}: most there is {other:%.3f}", {
      crest = crest, other = published_crest, n = iterations("shockwave-pulse-published"),
      w = page.option("shockwave-pulse-published", "relaxation"), what = arrives and "one, too" or "none",
    }),
  judged(gates_of("shockwave-pulse", "shockwave-packet", "bergou-pulse-viper", "bergou-ripple-viper"))
    .. (arrives and "; the published solver's pulse runs, too"
      or "; the published solver, whose inertia is multiplied, is slower"), "shockwave")

local bodies = page.values(crowd, "topology/body")
local n_octopuses = math.tointeger(bodies[#bodies] + 1)
local n_pills = page.values(crowd, "topology/segment").rows
local n_own = n_pills // n_octopuses
local steps, step_time = page.values(crowd, "timing/step"), 0
for _, t in ipairs(steps) do step_time = step_time + t / #steps end
local seconds = page.gate("octopus_skins-published", "penetration")
local volume = page.gate("octopus_skins-published", "volume")
entry("7", "100 octopuses of 37 pills with skins of 13 000 faces: 7 ms of simulation and 6 ms of rendering a frame on a GTX 1080; "
    .. "no count of iterations is printed",
  page.format("{bodies:%d} octopuses, {own:%d} pills each, {label}, {unknowns:%d} degrees of freedom: {ms:%.1f} ms a step of "
    .. "{substeps} substeps of {n} sweeps on this machine's CPU, skins moved in recorded frames alone; the published solver in as "
    .. "many iterations leaves a penetration of {depth:%.3f} m and a volume error of {volume:%.2f}", {
      bodies = n_octopuses, own = n_own, label = page.labels[crowd], ms = 1e3 * step_time,
      unknowns = 4 * page.values(crowd, "topology/rest_position").rows + 3 * n_pills,
      substeps = page.values(crowd, "solver/substeps")[1], n = iterations(crowd),
      depth = last("octopus_skins-published", "penetration"), volume = last("octopus_skins-published", "volume_error/rms"),
    }),
  page.format("it {a} of penetration and volume, the published solver {b}; of speed: not the same machine, nor known to be the same "
    .. "work, which {command} measures alone", {
      a = judged(gates_of(crowd)), b = judged{ seconds, volume }, command = code("viperbench bench contact_crowd"),
    }), "octopus_skins")

--- The runs of the band of a kind in the finest of its sizes.
local band = #page.find("fem_band-*") > 0
local function finest(kind)
  local runs = page.find("fem_band-" .. kind .. "*")
  return runs[#runs]
end
local function over(kind, path) return last(finest(kind), path) / last(finest("fem"), path) end
local function band_gates(kind, what) return page.gates("fem_band-" .. kind .. "* fem_band-fem*", "*, " .. what) end

if band then
  local torque, force = "reaction/torque[1,2]", "reaction/force[1,2]"
  local much = over("rods", torque) > 1.1 -- the tolerance of the gates
  entry("8, 16", "bundled rods correspond closely to finite elements as a band is stretched and twisted",
    page.format("twisted, {a:%.1f} times the torque and {b:%.2f} times the force of the finite elements; {c:%.1f} and {d:%.2f} "
      .. "times where nothing is fitted, and there {e:%.1f} and {f:%.2f} times with the published solver", {
        a = over("rods", torque), b = over("rods", force), c = over("usual", torque), d = over("usual", force),
        e = over("published", torque), f = over("published", force),
      }),
    page.format("stretched, it {a}; twisted, it {b}{why}", {
      a = judged(band_gates("rods", "stretched")), b = judged(band_gates("rods", "twisted")),
      why = much and "; the rods of a bundle keep one frame across the band, so that slanting rods are sheared, which the vector "
        .. "form of eqs. 11 and 18 resists with kz + kv" or "",
    }), "fem_band")
end

local scaled, plain = gates_of("shape_matching-scaled*"), gates_of("shape_matching-plain*")
entry("9", "shape matching without scale cannot follow a section that swells, with scale it can",
  page.format("a section of seven rods, turned and scaled by 1.5 and by 0.6, is matched with scale within {a:%.0e}; without, it goes "
    .. "back to its size at rest, within {b:%.0e}, too", { a = apart(scaled), b = apart(plain) }),
  judged(gates_of("shape_matching-*")), "shape_matching")

local function muscle(kind)
  local run = "muscle_contraction-" .. kind
  return last(run, "enclosed_volume") / page.first(run, "enclosed_volume")
end
local muscles = gates_of("muscle_contraction-*")
local balance = page.gate("muscle_contraction-scaled", "balance of energies")
local about_volume = {}
for _, gate in ipairs(muscles) do
  if gate.name ~= balance.name then about_volume[#about_volume + 1] = gate end
end
entry("10", "an excited muscle loses volume by plain shape matching, and keeps it where sections scale",
  page.format("shortened to 0.8 of its length, the skin holds {a:%.3f} of its volume with scale, {b:%.3f} without",
    { a = muscle("scaled"), b = muscle("plain") }),
  judged(about_volume) .. (balance.passed and "; its energies balance"
    or page.format("; but its balance of energies is off by {v:%.2g}, where {most:%.2g} is allowed: the rods, which may not "
      .. "swell, are pressed, and give way where they are pinned", { v = balance.value, most = balance.reference })), "muscle_contraction")

local function neighbors(shape) return 100 * value("viperized-" .. shape, "distances of neighbors") end
local ways = page.gate("viperized-few", "joined as by trying all ways")
entry("11, 12", "a muscle's mesh becomes rods: a harmonic field, slices, evenly spread points, matched from slice to slice",
  page.format("distances of neighbors differ by {a:%.1f}, {b:%.1f}, {c:%.1f} and {d:%.1f} % of their slice's mean at most (fusiform, "
    .. "pennate, tube, pectoral); slices are {joined} as by trying all ways, and no longer than {e:%.3f} times the best of 50 random "
    .. "beginnings", {
      a = neighbors("fusiform"), b = neighbors("pennate"), c = neighbors("tube"), d = neighbors("pectoral"),
      joined = ways.passed and "joined" or "not joined", e = value("viperized-few", "length over the best of others"),
    }),
  judged(gates_of("viperized-*")), "viperized")

local function volume_error(run, path) return (page.at(run, path, 2)) end
local converged = volume_error(bars, "volume_error/rms_by_body[2]")
local after30 = volume_error("stretch_bars-published-30", "volume_error/rms")
local after300 = volume_error("stretch_bars-published-300", "volume_error/rms")
entry("13", "stretch and volume are violated little over a sequence of stretch and compression",
  page.format("bar of kv = 10 kz, stretched to 2: volume error {a:%.3f} converged, {b:%.3f} after 30 and {c:%.3f} after 300 "
    .. "iterations of the published solver", { a = converged, b = after30, c = after300 }),
  page.format("converged, it {a}; the published solver's error is {b:%.0f} and {c:%.0f} times that{d}", {
    a = judged(gates_of(bars)), b = after30 / converged, c = after300 / converged,
    d = after300 < 0.9 * after30 and ", and falls with its iterations" or "",
  }), "stretch_bars")

local paper14, direct14 = "stretch_convergence-jacobi-published-both", "stretch_convergence-direct-both"
local function slope(path)
  return math.log(page.at(paper14, path, 1000) / page.at(paper14, path, 10)) / math.log(100)
end
local function level(run) return last(run, "convergence/energy/stretch") / last(direct14, "convergence/energy/stretch") end
local stretch_slope, volume_slope = slope("convergence/energy/stretch"), slope("convergence/energy/volume")
entry("14", "energies fall with slope one in log-log axes (called linear convergence), strain to the level of figure 13",
  page.format("published solver, 10 to 1000 iterations: slope {a:%.2f} (stretch) and {b:%.2f} (volume); stretch ends at {c:%.2f} "
    .. "times the converged energy; over a relaxation of 0.25, 0.5 and 1.5 that is {d:%.2f}, {e:%.2f} and {f:%.2f} times", {
      a = stretch_slope, b = volume_slope, c = level(paper14), d = level(paper14 .. "-0.25"), e = level(paper14 .. "-0.5"),
      f = level(paper14 .. "-1.5"),
    }),
  page.format("a slope of one would be sublinear convergence; the energies {same}; slopes and levels: {a}", {
    same = math.abs(stretch_slope - volume_slope) > 0.2 and "here do not follow one slope" or "here follow about one slope",
    a = judged(gates_of(paper14)),
  }), "stretch_convergence")

local function fall(run) return value(run, "height at station 2") / value(run, "height at station 1") end
local viper_fall, bergou_fall = fall("bergou-packet-viper"), fall("bergou-packet-bergou")
-- Heights are gated within 1 %; a packet that falls more is dampened more.
local dampened = bergou_fall < 0.99 * viper_fall
local gone = passed("bergou-pulse-bergou", "the pulse is gone after the first step")
entry("15", "with a radius updated from the length, motion is significantly dampened",
  page.format("a packet of long waves falls to {a:%.3f} of its height between two stations with VIPER, to {b:%.3f} with the updated "
    .. "radius, and to {c:%.3f} where that enters the next step's stiffness",
    { a = viper_fall, b = bergou_fall, c = fall("bergou-packet-feedback") }),
  page.format("{a}: {b}{c}", {
    a = dampened and "agrees" or "differs",
    b = dampened and "the packet of the updated radius falls more"
      or "the packet of the updated radius falls no more; beside the closed form of implicit Euler's damping, both: "
        .. judged(gates_of("bergou-packet-viper", "bergou-packet-bergou")),
    c = gone and "; but a pulse of the radius alone does not run at all, since nothing holds a radius" or "",
  }), "bergou")

local function pinched(run, name) return value("pinched-" .. run, name) end
local function wanted(name) return page.gate("pinched-viper", name).reference end
entry("15", "a rod is pinched between two surfaces",
  page.format("pressed to a scale of {a:%.3f} it is {b:%.3f} m long and pushes each plane with {c:%.1f} kN; a uniform rod: {d:%.3f} m, "
    .. "{e:%.1f} kN. The published solver: {f:%.3f} m, {g:%.1f} kN. A rod whose radius follows from its length has to be pulled, to "
    .. "{h:%.3f} m by {i:%.2f} kN", {
      a = pinched("viper", "scale"), b = pinched("viper", "length"), c = pinched("viper", "force of a plane") / 1000,
      d = wanted("length"), e = wanted("force of a plane") / 1000, f = pinched("published", "length"),
      g = pinched("published", "force of a plane") / 1000, h = pinched("bergou", "scale") ^ -2,
      i = pinched("bergou", "force of the pull") / 1000,
    }),
  page.format("VIPER {a}; an updated radius {pull}{b}", {
    pull = pinched("bergou", "force of the pull") > 0 and "cannot be pinched" or "is pinched, too", a = judged(gates_of("pinched-viper", "pinched-direct", "pinched-light")),
    b = passed("pinched-published", "force of a plane") and "; the published solver has the force, too"
      or "; the published solver does not reach the force: forces of contact need iterations in proportion to stiffness over inertia",
  }), "pinched")

page.table({ "figure", "the paper", "here", "verdict", "command" }, rows)

local in_motion = {}
for _, study in ipairs{ "arm_flexion", "pectoral", "leg" } do
  if page.picture(study) then in_motion[#in_motion + 1] = study end
end
page.put([[

{first}Left unbuilt by choice:

- splines: rods are polygons of segments;
- sections that are not round: one isotropic scale per node;
- wedges, the fat and skin layers, and implicit blends of surfaces;
- interactive editing, and fitting of rods to muscle scans;
- levels of detail.
]], { first = #in_motion > 0 and "" or "Figure 1, of a body in motion, has no study yet. " })

-- ---- figures 5 and 6 ----

local n_bars = 4 -- those with a closed form
local kinds = { "kv = 0 kz", "kv = 1 kz", "kv = 10 kz", "kv = 50 kz" }
rows = {}
local thinner, thicker, held = true, true, {}
for k = 1, n_bars do
  local stretched = page.gate(bars, "held scale, stretched, " .. kinds[k])
  local compressed = page.gate(bars, "held scale, compressed, " .. kinds[k])
  held[#held + 1], held[#held + 2] = stretched, compressed
  if k > 1 then
    thinner = thinner and stretched.value < held[2 * k - 3].value
    thicker = thicker and compressed.value > held[2 * k - 2].value
  end
  local cells = { kinds[k] }
  for _, x in ipairs{ stretched.value, stretched.reference, compressed.value, compressed.reference } do
    cells[#cells + 1] = page.format("{1:%.6f}", { x })
  end
  rows[k] = cells
end
rows[n_bars + 1] = {
  "constant volume", "", page.format("{1:%.6f}", { 1 / math.sqrt(2) }), "", page.format("{1:%.6f}", { 1 / math.sqrt(0.7) }),
}
page.put([[
## Figure 5: bars stretched and compressed

Bars are pulled to twice their length and pressed to 0.7 of it. The larger the volume stiffness kv, the
{pulled} they get as they are pulled and the {pressed} as they are pressed; the scale 1/sqrt(stretch) is that of a
constant volume. The greatest distance of a held scale from that of the closed form is {apart:%.1e}.
]], {
  pulled = thinner and "thinner" or "thinner or thicker", pressed = thicker and "thicker" or "thinner or thicker", apart = apart(held),
})
page.table({ "bar", "scale, stretched", "closed form", "scale, compressed", "closed form" }, rows)
page.put("\n{1}\n", { picture("stretch_bars") })

local pulse, fine = "shockwave-pulse", "bergou-pulse-viper"
local k = page.values(pulse, "topology/stiffness")
local kv = page.values(pulse, "topology/volume_stiffness")[1]
local slow_pull = k[3] + kv - 4 * kv ^ 2 / (k[1] + k[2] + 4 * kv) -- kz', the stiffness of a slow pull
local function crest_time(path)
  local _, time = page.maximum(fine, path, 0.015)
  return time
end
local z = page.values(fine, "topology/rest_position")
local speed = 0.25 * z[#z] / (crest_time("frames/scale[75%]") - crest_time("frames/scale[50%]"))
local ripple = page.gate("bergou-ripple-viper", "arrival at the middle")
page.put([[
## Figure 6: a pulse of the radius

A rod half again as thick at one end sends a wave along itself: a crest of the scale of {crest:%.3f} passes the
middle and goes on at {speed:%.1f} m/s, the speed of long waves being {long:%.1f} m/s. The end {back} at the scale {scale:%.3f}
when the crest reaches the far end.
A pulse of a millionth {agrees} the sum over the discrete modes: {a:%.9g} s and {b:%.9g} s of arrival.

{picture}
]], {
  crest = crest, speed = speed, long = math.sqrt(slow_pull / page.values(pulse, "topology/density")[1]),
  back = passed(pulse, "the pulse leaves the end") and "is back" or "is still", scale = last(pulse, "frames/scale[0]"),
  agrees = ripple.passed and "agrees with" or "differs from", a = ripple.value, b = ripple.reference,
  picture = picture("shockwave"),
})

-- ---- figures 7 to 12, and 1 ----

-- Balls of the pill's radii along its axis, so dense that the groove between two is no deeper than that.
local groove = 0.05 * 0.077
local segments, radii = page.values(crowd, "topology/segment"), page.values(crowd, "topology/rest_radius")
local lengths, balls = page.values(crowd, "topology/rest_length"), 0
for j = 1, n_own do
  local smaller = math.min(radii[math.tointeger(segments[2 * j - 1]) + 1], radii[math.tointeger(segments[2 * j]) + 1])
  balls = balls + math.ceil(lengths[j] / (2 * math.sqrt(2 * smaller * groove - groove ^ 2)))
end
page.put([[
## Figure 7: a crowd with skins

Against particles: balls along the axes of the {n:%d} pills that leave grooves of no more than 5 % of the least radius
are {balls:%d} for an octopus, of 4 degrees of freedom or more each; its pills have {nodes:%d} nodes.

{octopuses}

Movies, where ffmpeg is installed, of this and of figures 5, 6 and 15:

    viperbench run octopus_skins --set frames=3 && viperbench render results/octopus_skins.h5 --run crowd --movie figure-7.mp4
    viperbench render results/stretch_bars.h5 --run clamped --movie figure-5.mp4
    viperbench render results/shockwave.h5 --run pulse --color scale --speed 0.01 --movie figure-6.mp4
    viperbench render results/bergou.h5 --run pulse-viper --color scale --speed 0.01 --movie figure-15.mp4

## Figures 9 to 12: sections that scale, and muscles as rods

{matching}

{contraction}

{viperized}

The five stages of one mesh (figure 11) are drawn by `viperbench viperize MESH --picture FILE`.
]], {
  n = n_own, balls = balls + 1, nodes = n_own + 1, octopuses = picture("octopus_skins"), matching = picture("shape_matching"),
  contraction = picture("muscle_contraction"), viperized = picture("viperized"),
})
if #in_motion > 0 then
  page.put("## Figure 1: muscles in motion\n")
  for _, study in ipairs(in_motion) do page.put("{1}\n", { picture(study) }) end
end

-- ---- figures 13 and 14 ----

rows = {}
local errors = {}
for b, name in ipairs(page.values(bars, "topology/body_name")) do
  local path = "volume_error/rms_by_body[" .. b - 1 .. "]"
  errors[b] = { (page.at(bars, path, 2)), (page.at(bars, path, 5)) }
  rows[b] = { name, page.format("{1:%.3e}", errors[b]), page.format("{2:%.3e}", errors[b]) }
end
page.put([[
## Figure 13: volume and stretch errors

RMS volume error of the bars of figure 5 while held, stretched (2 s) and compressed (5 s):
]])
page.table({ "bar", "stretched", "compressed" }, rows)
local five = errors[3][1] / errors[4][1] -- from kv = 10 kz to 50 kz
page.put("\nFrom kv = 10 kz to 50 kz it falls to 1/{five:%.1f}{law}.\n{buckles}\n", {
  five = five, law = math.abs(five / 5 - 1) < 0.1 and ", about as one over kv" or "",
  buckles = errors[6][2] < 0.5 * errors[3][2]
    and "The bar of free nodes buckles, so that its compressed volume error is small." or "",
})

local methods = { "jacobi-published", "xpbd", "direct", "block-descent" }
rows = {}
local left_out = {}
for _, method in ipairs(methods) do
  local run = "stretch_convergence-" .. method .. "-both"
  if #page.find(run) == 0 then left_out[#left_out + 1] = code(method) end
  for _, energy in ipairs(#page.find(run) > 0 and { "stretch", "volume" } or {}) do
    local cells = { method, energy }
    for _, n in ipairs{ 10, 100, 1000 } do
      cells[#cells + 1] = page.format("{1:%.4g}", { (page.at(run, "convergence/energy/" .. energy, n)) })
    end
    rows[#rows + 1] = cells
  end
end
page.put([[
## Figure 14: convergence of one step

Energies of figure 13's bar in the step after both its ends jump to twice its length [J]:
]])
page.table({ "method", "energy", "10 iterations", "100", "1000" }, rows)
if #left_out > 0 then
  page.put("\nNot run here, since it has no line search: {1}.", { table.concat(left_out, ", ") })
end
page.put([[

{picture}

Relative residual of one step after an instant two-fold stretch, against iterations:
]], { picture = picture("stretch_convergence") })
rows = {}
for _, moved in ipairs{ { "all", "all nodes" }, { "end", "one end" } } do
  for _, method in ipairs(methods) do
    local cells = { method, moved[2] }
    for _, n in ipairs{ 5, 100, 1000 } do
      local residual = page.at("stretch_convergence-" .. method .. "-" .. moved[1], "convergence/residual", n)
      cells[#cells + 1] = page.format("{1:%.1e}", { residual })
    end
    rows[#rows + 1] = cells
  end
end
page.table({ "method", "what is moved", "5 iterations", "100", "1000" }, rows)
local newton = page.gates("stretch_convergence-direct-*", "direct converges within*")
page.put([[

`direct` (Newton with an exact factorization) is {there} after eight iterations; 0 is
within rounding. Sweeps of the others carry an error along the bar segment by segment.

{picture}
]], {
  there = page.count(newton) == #newton and "within 1e-6" or "not within 1e-6", picture = picture("stretch_convergence_residual"),
})

-- ---- figure 15 ----

rows = {}
local function row(what, format, v, b)
  rows[#rows + 1] = { what, page.format("{1:" .. format[1] .. "}", { v }), page.format("{1:" .. format[#format] .. "}", { b }) }
end
local function packet_speed(run)
  local first, second = page.gate(run, "arrival at station 1"), page.gate(run, "arrival at station 2")
  local rest = page.values(run, "topology/rest_position")
  local function at(gate) return rest[3 * math.tointeger(gate.row) + 3] end
  return (at(second) - at(first)) / (second.value - first.value)
end
local v, b = "bergou-packet-viper", "bergou-packet-bergou"
local viper_speed, bergou_speed = packet_speed(v), packet_speed(b)
row("acoustic packet: speed [m/s]", { "%.3f" }, viper_speed, bergou_speed)
row("its height from station to station", { "%.4f" }, viper_fall, bergou_fall)
local function after_first(run) return page.values(run, "frames/scale[0]")[2] - 1 end
row("radius pulse of 0.5: end's scale − 1 after the first step", { "%.4f", "%.1e" }, after_first("bergou-pulse-viper"),
  after_first("bergou-pulse-bergou"))
row("crest at the middle, scale − 1", { "%.4f", "%.1e" }, crest - 1, most("bergou-pulse-bergou", "frames/scale[50%]") - 1)
v, b = "bergou-stretch-viper", "bergou-stretch-bergou"
local little, far = "force, pulled a little", "force, pulled to twice its length"
row("pulled by 0.1 %: force [N]", { "%.4f" }, value(v, little), value(b, little))
row("pulled to twice its length: force [N]", { "%.1f" }, value(v, far), value(b, far))
row("scale then", { "%.5f" }, value(v, "scale, pulled to twice its length"), value(b, "scale, pulled to twice its length"))
row("volume error then (RMS)", { "%.1e" }, last(v, "volume_error/rms"), last(b, "volume_error/rms"))
local viper_pinch, bergou_pinch = last("bergou-pinch-viper", "frames/scale[50%]"), last("bergou-pinch-bergou", "frames/scale[50%]")
row("pinched by two planes: scale there", { "%.4f" }, viper_pinch, bergou_pinch)
page.put([[
## Figure 15: VIPER beside an updated radius

The solver `bergou` has no unknown for the radius: it follows from the length after each step. Its axial
stiffness is that of VIPER's rod to a slow pull.
]])
page.table({ "what", "VIPER", "Bergou" }, rows)
local softer = value(v, far) < 0.99 * value(b, far)
page.put([[

The speeds of long waves are {close} of each other{slower}.
{pulse}
Pulled to twice its length, VIPER's bar resists {far}, {section}.
{pinch}

{bergou}

A rod pinched between two planes that close:

{pinched}
]], {
  close = page.within(viper_speed / bergou_speed - 1),
  slower = viper_speed < bergou_speed
    and "; VIPER's are the slower ones, since its sections have to be moved in and out as well" or "",
  pulse = gone and "The pulse of the radius is gone after Bergou's first step: nothing holds a radius."
    or "The pulse of the radius outlives Bergou's first step.",
  far = page.format("with {f:%.2f} of the force of Bergou's", { f = value(v, far) / value(b, far) }),
  section = softer and "its section having shrunk; Bergou's keeps the stiffness of its rest section"
    or "no less than Bergou's, which keeps the stiffness of its rest section",
  pinch = passed("bergou-pinch-bergou", "the pinch does not move the radius")
      and "The pinch has no net force on the center line, so it moves only VIPER's radius."
    or "The pinch moves Bergou's radius, too.",
  bergou = picture("bergou"), pinched = picture("pinched"),
})

-- ---- figure 16 ----

page.put("## Figure 16: a band beside finite elements\n")
if not band then
  page.put("**Not here:** the study `fem_band` was not run, so nothing is said about this figure.\n")
else
  local function short(runs)
    local words, from = {}, 1
    while from <= #runs do
      local to = from
      while to <= #runs and runs:sub(to, to) ~= " " do to = to + 1 end
      local word = runs:sub(from, to - 1)
      words[#words + 1] = word:sub(1, 9) == "fem_band-" and word:sub(10) or word
      from = to + 1
    end
    return table.concat(words, " / ")
  end
  local function wants(gate)
    if gate.comparator == "near" then
      return page.format("{reference:%.4g} ± {percent:%g} %", { reference = gate.reference, percent = 100 * gate.tolerance })
    end
    return page.format("{sign} {reference:%.4g}", { sign = gate.comparator == "at_most" and "≤" or "≥", reference = gate.reference })
  end
  rows = {}
  for _, gate in ipairs(page.gates("fem_band-*")) do
    rows[#rows + 1] = {
      short(gate.runs), gate.name, page.format("{value:%.4g}", gate), wants(gate),
      gate.passed and "yes" or gate.finding and "**finding**" or "**no**",
    }
  end
  page.put([[
An elastic band is pulled to one and a half times its length, then twisted by half a turn. The stiffnesses of
the rods are fitted to the stretch alone, so that the twist is a prediction. Each row is a gate that was set
before the band was run; what misses one is a finding, and the gate stays.
]])
  page.table({ "runs", "gate", "value", "wanted", "met" }, rows)
  local function ratio(kind, name) return page.gates("fem_band-" .. kind .. "* fem_band-fem*", name)[1] end
  local function part(gate) return page.format("{value:%.3g} times", gate) .. (gate.passed and "" or " (missed)") end
  page.put([[

Stretched, the band of bundled rods has {width} the width, {thickness} the thickness and {volume} the volume of the finite
elements', and pulls {force} as hard{why}.
Twisted, it takes {torque} the torque, and has {thin} the thickness.
Without bundles{draw}, the width is {free}; with cross rods, whose scale falls with that of the rods they tie, it is {cross}.

{picture}
]], {
    width = part(ratio("rods", "width, stretched")), thickness = part(ratio("rods", "thickness, stretched")),
    volume = part(ratio("rods", "volume, stretched")), force = part(ratio("rods", "force, stretched")),
    why = ratio("rods", "force, stretched").value > 1.1
      and ": its cross-sections keep one frame, so that the outer rods, which slant toward the clamps, are sheared" or "",
    torque = part(ratio("rods", "torque, twisted")), thin = part(ratio("rods", "thickness, twisted")),
    draw = ratio("free", "width, stretched").value > ratio("rods", "width, stretched").value
      and ", where nothing draws the rods together as they stretch" or "",
    free = part(ratio("free", "width, stretched")), cross = part(ratio("cross", "width, stretched")), picture = picture("fem_band"),
  })
end
page.put("---\n{1}", { page.footer })
