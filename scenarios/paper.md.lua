-- The page about the paper's figures, with the numbers. Gates and values select its conclusions.
local bars, crowd = "stretch_bars-n32", "octopus_skins-crowd"

local function last(run, path) return (page.last(run, path)) end
local function most(run, path) return (page.maximum(run, path)) end
local function code(text) return "`" .. text .. "`" end
local function picture(name)
  return page.picture(name) and page.format("![{n}]({n}.svg)", { n = name })
    or page.format("(There is no picture of the study {n}.)", { n = name })
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
  if #list == 0 then return "has no gate" end
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

{passed:%d} of {n:%d} gates of the studies of these figures passed; {findings:%d} of the others are findings about the
model, the paper's claims or the published solver, {failed:%d} are failures.

## Summary

The paper's claims are in our words. The last column is the command that computes the numbers.
]], {
  sheet = picture("paper"), muscles = picture("paper_muscles"), passed = n_passed, n = #all, findings = n_findings,
  failed = n_failed,
})

-- ---- at a glance ----

local rows = {}
local function entry(figure, claim, ours, verdict, study)
  rows[#rows + 1] = { figure, claim, ours, verdict, code("viperbench run " .. study) }
end

local function mean_step(run)
  local steps, mean = page.values(run, "timing/step"), 0
  for _, t in ipairs(steps) do mean = mean + t / #steps end
  return mean
end
if #page.find("arm_flexion-contact") > 0 then
  local arm = "arm_flexion-contact"
  local own = page.values(arm, "topology/body")
  entry("1", "muscles as rods move with the bones under them",
    page.format("an arm of three muscles on driven bones, {bodies:%d} rods and bones in contact: skins keep their volume within {volume:%.1f} %, "
      .. "and bodies penetrate each other by at most {depth:%.2g} mm{leg}", {
        bodies = math.tointeger(own[#own] + 1), volume = 100 * value(arm, "volume in skins"), depth = 1e3 * most(arm, "penetration"),
        leg = #page.find("leg-leg") > 0 and "; a leg of a dozen muscles" or "",
      }),
    judged(gates_of("arm_flexion-*", "leg-*")), "arm_flexion leg")
end
if #page.find("pectoral-rods") > 0 then
  local rods, solid = "pectoral-rods", "pectoral-tetrahedra"
  local own = page.values(rods, "topology/body")
  entry("3", "finite elements of 51 000 tetrahedra take 2.5 minutes a frame",
    page.format("a pectoral, a step of 1/60 s: {rods:%d} rods {a}, {n:%d} tetrahedra {b} by Newton's method and {c} by projective dynamics", {
      rods = math.tointeger(own[#own] + 1), n = page.values(solid, "topology/poisson").rows, a = page.si(mean_step(rods), "s", 2),
      b = page.si(mean_step(solid), "s", 2), c = page.si(mean_step("pectoral-articulated"), "s", 2),
    }),
    "a cost on another machine, of a whole body offline; rods beside tetrahedra: " .. judged(page.gates("pectoral-*", "cost*")), "pectoral")
end

local published = "stretch_bars-clamped-published"
entry("5", "stretched bars become thinner, compressed bars thicker, the more the stiffer the volume",
  page.format("with fixed end sections, the middle of the bar of kv = 50 kz has the scale {a:%.3f} stretched to 2 and "
    .. "{b:%.3f} compressed to 0.7; constant volume would be {c:%.3f} and {d:%.3f}; the published solver reaches {e:%.3f} and "
    .. "{f:%.3f} in {n} iterations", {
      a = value("stretch_bars-clamped", "stretched between held ends, kv = 50 kz"),
      b = value("stretch_bars-clamped", "compressed between held ends, kv = 50 kz"),
      c = 1 / math.sqrt(2), d = 1 / math.sqrt(0.7),
      e = value(published, "stretched between held ends, kv = 50 kz"),
      f = value(published, "compressed between held ends, kv = 50 kz"), n = iterations(published),
    }),
  page.format("the converged solution {a}; the published solver {b}",
    { a = judged(gates_of(bars, "stretch_bars-clamped")), b = judged(gates_of(published)) }), "stretch_bars")

local crest = most("bergou-pulse-viper", "frames/scale[50%]")
local published_crest = most("shockwave-pulse-published", "frames/scale[50%]")
-- A wave that keeps less than a tenth of the crest of the converged one has not arrived.
local arrives = published_crest - 1 > 0.1 * (crest - 1)
entry("6", "a disturbance of the radius travels along a rod",
  page.format("a crest of scale {crest:%.3f} passes the middle; with the published solver ({n} iterations, relaxation {w}) "
    .. "{what}: its maximum there is {other:%.3f}", {
      crest = crest, other = published_crest, n = iterations("shockwave-pulse-published"),
      w = page.option("shockwave-pulse-published", "relaxation"), what = arrives and "also a crest" or "no crest",
    }),
  judged(gates_of("shockwave-pulse", "shockwave-packet", "bergou-pulse-viper", "bergou-ripple-viper"))
    .. (arrives and "; the published solver's pulse also travels"
      or "; the published solver, with multiplied inertia, is slower"), "shockwave")

local bodies = page.values(crowd, "topology/body")
local n_octopuses = math.tointeger(bodies[#bodies] + 1)
local n_pills = page.values(crowd, "topology/segment").rows
local n_own = n_pills // n_octopuses
local steps, heap_time = page.values(crowd, "timing/step"), 0
local n_heap = math.min(20, #steps)
for k = #steps - n_heap + 1, #steps do heap_time = heap_time + steps[k] / n_heap end
local seconds = page.gate("octopus_skins-published", "penetration")
local volume = page.gate("octopus_skins-published", "volume")
entry("7", "100 octopuses of 37 pills with skins of 13 000 faces: 7 ms of simulation and 6 ms of rendering per frame on a GTX 1080; "
    .. "the number of iterations is not stated",
  page.format("{bodies:%d} octopuses, {own:%d} pills each, {label}, {unknowns:%d} degrees of freedom: {ms:%.1f} ms a step of the heap "
    .. "(the last {n_heap}; {mean:%.1f} in the mean of all), of {substeps} substeps of {n} sweeps on this machine's CPU, with skins "
    .. "moved only in recorded frames; the published solver "
    .. "with as many iterations has a penetration of {depth:%.3f} m and a volume error of {volume:%.2f}", {
      bodies = n_octopuses, own = n_own, label = page.labels[crowd], ms = 1e3 * heap_time, n_heap = n_heap,
      mean = 1e3 * mean_step(crowd),
      unknowns = 4 * page.values(crowd, "topology/rest_position").rows + 3 * n_pills,
      substeps = page.values(crowd, "solver/substeps")[1], n = iterations(crowd),
      depth = last("octopus_skins-published", "penetration"), volume = last("octopus_skins-published", "volume_error/rms"),
    }),
  page.format("penetration and volume: {a}; the published solver {b}; speed is not comparable, on another machine and with an unknown "
    .. "number of iterations; {command} measures it", {
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
  entry("8, 16", "bundled rods correspond closely to finite elements when a band is stretched and twisted",
    page.format("twisted, {a:%.1f} times the torque and {b:%.2f} times the force of the finite elements; without a fit {c:%.1f} and {d:%.2f} "
      .. "times, and without a fit by the published solver {e:%.1f} and {f:%.2f} times", {
        a = over("rods", torque), b = over("rods", force), c = over("usual", torque), d = over("usual", force),
        e = over("published", torque), f = over("published", force),
      }),
    page.format("stretched, it {a}; twisted, it {b}{why}", {
      a = judged(band_gates("rods", "stretched")), b = judged(band_gates("rods", "twisted")),
      why = much and "; the rods of a section have one frame, so slanting rods are sheared, which the vector "
        .. "form of eqs. 11 and 18 resists with kz + kv" or "",
    }), "fem_band")
end

local scaled, plain = gates_of("shape_matching-scaled*"), gates_of("shape_matching-plain*")
entry("9", "shape matching follows a swelling section only with scale",
  page.format("a section of seven rods, rotated and scaled by 1.5 and by 0.6, is matched with scale within {a:%.0e}; without scale, it "
    .. "returns to its rest size, within {b:%.0e}", { a = apart(scaled), b = apart(plain) }),
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
entry("10", "an excited muscle loses volume by plain shape matching, and preserves it if sections scale",
  page.format("shortened to 0.8 of its length, the skin has {a:%.3f} of its volume with scale, {b:%.3f} without",
    { a = muscle("scaled"), b = muscle("plain") }),
  judged(about_volume) .. (balance.passed and "; its energies balance"
    or page.format("; but the error of its energy balance is {v:%.2g}, with {most:%.2g} allowed: the rods, which cannot "
      .. "swell, are compressed, and deform where they are pinned", { v = balance.value, most = balance.reference })), "muscle_contraction")

local function neighbors(shape) return 100 * value("viperized-" .. shape, "distances of neighbors") end
local ways = page.gate("viperized-few", "joined as by trying all ways")
entry("11, 12", "the mesh of a muscle is filled with rods: a harmonic field, slices, evenly distributed points, matched from slice to slice",
  page.format("distances of neighbors deviate by at most {a:%.1f}, {b:%.1f}, {c:%.1f} and {d:%.1f} % from the mean of their slice (fusiform, "
    .. "pennate, tube, pectoral); the matching of slices {joined}, and its length is at most {e:%.3f} times the best of 50 random "
    .. "initializations", {
      a = neighbors("fusiform"), b = neighbors("pennate"), c = neighbors("tube"), d = neighbors("pectoral"),
      joined = ways.passed and "equals that of an exhaustive search" or "differs from that of an exhaustive search", e = value("viperized-few", "length over the best of others"),
    }),
  judged(gates_of("viperized-*")), "viperized")

local function volume_error(run, path) return (page.at(run, path, 2)) end
local converged = volume_error(bars, "volume_error/rms_by_body[2]")
local after30 = volume_error("stretch_bars-published-30", "volume_error/rms")
local after300 = volume_error("stretch_bars-published-300", "volume_error/rms")
entry("13", "errors of stretch and volume are small over a sequence of stretch and compression",
  page.format("bar of kv = 10 kz, stretched to 2: volume error {a:%.3f} converged, {b:%.3f} after 30 and {c:%.3f} after 300 "
    .. "iterations of the published solver", { a = converged, b = after30, c = after300 }),
  page.format("the converged solution {a}; the published solver's error is {b:%.0f} and {c:%.0f} times as great{d}", {
    a = judged(gates_of(bars)), b = after30 / converged, c = after300 / converged,
    d = after300 < 0.9 * after30 and ", and decreases with iterations" or "",
  }), "stretch_bars")

local paper14, direct14 = "stretch_convergence-jacobi-published-both", "stretch_convergence-direct-both"
local function slope(path)
  return math.log(page.at(paper14, path, 1000) / page.at(paper14, path, 10)) / math.log(100)
end
local function level(run) return last(run, "convergence/energy/stretch") / last(direct14, "convergence/energy/stretch") end
local stretch_slope, volume_slope = slope("convergence/energy/stretch"), slope("convergence/energy/volume")
entry("14", "energies decrease with slope one in log-log axes (called linear convergence), strain to the level of figure 13",
  page.format("published solver, 10 to 1000 iterations: slope {a:%.2f} (stretch) and {b:%.2f} (volume); stretch ends at {c:%.2f} "
    .. "times the converged energy; with a relaxation of 0.25, 0.5 and 1.5 at {d:%.2f}, {e:%.2f} and {f:%.2f} times", {
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
  page.format("the height of a packet of long waves decreases between two stations to {a:%.3f} with VIPER, to {b:%.3f} with the updated "
    .. "radius, and to {c:%.3f} if this radius enters the stiffness of the next step",
    { a = viper_fall, b = bergou_fall, c = fall("bergou-packet-feedback") }),
  page.format("{a}: {b}{c}", {
    a = dampened and "agrees" or "differs",
    b = dampened and "the packet decays faster with the updated radius"
      or "the packet does not decay faster with the updated radius; both, against the closed form of implicit Euler's damping: "
        .. judged(gates_of("bergou-packet-viper", "bergou-packet-bergou")),
    c = gone and "; but a pulse of only the radius does not travel at all, because no force acts on a radius" or "",
  }), "bergou")

local function pinched(run, name) return value("pinched-" .. run, name) end
local function wanted(name) return page.gate("pinched-viper", name).reference end
entry("15", "a rod is pinched between two surfaces",
  page.format("compressed to a scale of {a:%.3f} it is {b:%.3f} m long and exerts {c:%.1f} kN on each plane; a uniform rod: {d:%.3f} m, "
    .. "{e:%.1f} kN. The published solver: {f:%.3f} m, {g:%.1f} kN. A rod whose radius follows from its length must be pulled, to "
    .. "{h:%.3f} m by {i:%.2f} kN", {
      a = pinched("viper", "scale"), b = pinched("viper", "length"), c = pinched("viper", "force of a plane") / 1000,
      d = wanted("length"), e = wanted("force of a plane") / 1000, f = pinched("published", "length"),
      g = pinched("published", "force of a plane") / 1000, h = pinched("bergou", "scale") ^ -2,
      i = pinched("bergou", "force of the pull") / 1000,
    }),
  page.format("VIPER {a}; an updated radius {pull}{b}", {
    pull = pinched("bergou", "force of the pull") > 0 and "cannot be pinched" or "is also pinched", a = judged(gates_of("pinched-viper", "pinched-direct", "pinched-light")),
    b = passed("pinched-published", "force of a plane") and "; the published solver also has the force"
      or "; the published solver does not reach the force: forces of contact need iterations in proportion to stiffness over inertia",
  }), "pinched")

page.table({ "figure", "the paper", "here", "verdict", "command" }, rows)

local in_motion = {}
for _, study in ipairs{ "arm_flexion", "pectoral", "leg" } do
  if page.picture(study) then in_motion[#in_motion + 1] = study end
end
page.put([[

{first}Not implemented by choice:

- splines: rods are polygons of segments;
- sections that are not round: one isotropic scale per node;
- wedges, the fat and skin layers, and implicit blends of surfaces;
- interactive editing, and fitting of rods to muscle scans;
- levels of detail.
]], { first = #in_motion > 0 and "" or "Figure 1, of a body in motion, has no study here. " })

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

Bars are stretched to twice their length and compressed to 0.7 of it. The greater the volume stiffness kv, the {pulled}
they become when stretched, and the {pressed} when compressed; at constant volume the scale is 1/sqrt(stretch). The
greatest distance of a scale from its closed form is {apart:%.1e}.
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

One end of a rod is 1.5 times as thick, which starts a wave: a crest of scale {crest:%.3f} passes the middle with
{speed:%.1f} m/s; the speed of long waves is {long:%.1f} m/s. The end {back} at the scale {scale:%.3f} when the crest reaches the
far end. The arrival of a pulse of amplitude 1e-6 {agrees} the sum over the discrete modes: {a:%.9g} s and {b:%.9g} s.

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

Comparison with particles: to represent the {n:%d} pills of an octopus by balls along their axes, with grooves of at most
5 % of the least radius, takes {balls:%d} balls, with 4 degrees of freedom or more each. The pills have {nodes:%d} nodes.

{octopuses}

Movies of this figure and of figures 5, 6 and 15 (they need ffmpeg):

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
page.put("\nFrom kv = 10 kz to 50 kz it decreases to 1/{five:%.1f}{law}.\n{buckles}\n", {
  five = five, law = math.abs(five / 5 - 1) < 0.1 and ", about in proportion to 1/kv" or "",
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

Energies of the bar of figure 13 in the step after both its ends jump to twice its length [J]:
]])
page.table({ "method", "energy", "10 iterations", "100", "1000" }, rows)
if #left_out > 0 then
  page.put("\nNot run, because it has no line search: {1}.", { table.concat(left_out, ", ") })
end
page.put([[

{picture}

Relative residual of one step after an instant two-fold stretch, over iterations:
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

The residual of `direct` (Newton's method with an exact factorization) is {there} after eight iterations; 0 means within
rounding. Sweeps of the other methods move an error along the bar segment by segment.

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
row("ratio of its heights at the two stations", { "%.4f" }, viper_fall, bergou_fall)
local function after_first(run) return page.values(run, "frames/scale[0]")[2] - 1 end
row("radius pulse of 0.5: scale − 1 of the end after the first step", { "%.4f", "%.1e" }, after_first("bergou-pulse-viper"),
  after_first("bergou-pulse-bergou"))
row("crest at the middle, scale − 1", { "%.4f", "%.1e" }, crest - 1, most("bergou-pulse-bergou", "frames/scale[50%]") - 1)
v, b = "bergou-stretch-viper", "bergou-stretch-bergou"
local little, far = "force, pulled a little", "force, pulled to twice its length"
row("stretched by 0.1 %: force [N]", { "%.4f" }, value(v, little), value(b, little))
row("stretched to twice its length: force [N]", { "%.1f" }, value(v, far), value(b, far))
row("its scale", { "%.5f" }, value(v, "scale, pulled to twice its length"), value(b, "scale, pulled to twice its length"))
row("its volume error (RMS)", { "%.1e" }, last(v, "volume_error/rms"), last(b, "volume_error/rms"))
local viper_pinch, bergou_pinch = last("bergou-pinch-viper", "frames/scale[50%]"), last("bergou-pinch-bergou", "frames/scale[50%]")
row("pinched by two planes: scale at the planes", { "%.4f" }, viper_pinch, bergou_pinch)
page.put([[
## Figure 15: VIPER and an updated radius

In the solver `bergou` the radius is not an unknown: it follows from the length after each step. Its axial stiffness is that
of VIPER's rod under a slow pull.
]])
page.table({ "what", "VIPER", "Bergou" }, rows)
local softer = value(v, far) < 0.99 * value(b, far)
page.put([[

The speeds of long waves are {close} of each other{slower}.
{pulse}
Stretched to twice its length, VIPER's bar has {far}; {section}.
{pinch}

{bergou}

A rod pinched between two closing planes:

{pinched}
]], {
  close = page.within(viper_speed / bergou_speed - 1),
  slower = viper_speed < bergou_speed
    and "; VIPER's are slower, because its sections also move laterally" or "",
  pulse = gone and "The pulse of the radius vanishes in Bergou's first step, because no force acts on a radius."
    or "The pulse of the radius remains after Bergou's first step.",
  far = page.format("{f:%.2f} of the force of Bergou's", { f = value(v, far) / value(b, far) }),
  section = softer and "its section shrinks, while Bergou's keeps the stiffness of its rest section"
    or "Bergou's keeps the stiffness of its rest section",
  pinch = passed("bergou-pinch-bergou", "the pinch does not move the radius")
      and "The pinch has no net force on the center line, so it changes only VIPER's radius."
    or "The pinch also changes Bergou's radius.",
  bergou = picture("bergou"), pinched = picture("pinched"),
})

-- ---- figure 16 ----

page.put("## Figure 16: a band and finite elements\n")
if not band then
  page.put("The study `fem_band` was not run, so this figure is missing.\n")
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
An elastic band is stretched to one and a half times its length, then twisted by half a turn. The stiffnesses of the rods
are fitted only to the stretch, so the twist is a prediction. Each row is a gate that was set before the first run; a miss
is a finding.
]])
  page.table({ "runs", "gate", "value", "reference", "met" }, rows)
  local function ratio(kind, name) return page.gates("fem_band-" .. kind .. "* fem_band-fem*", name)[1] end
  local function part(gate) return page.format("{value:%.3g} times", gate) .. (gate.passed and "" or " (missed)") end
  page.put([[

Stretched, the band of bundled rods has {width} the width, {thickness} the thickness, {volume} the volume and {force} the force
of the finite elements{why}. Twisted, it has {torque} the torque and {thin} the thickness. The width without bundles is
{free}{draw}; with cross rods, whose scale decreases with that of the connected rods, it is {cross}.

{picture}
]], {
    width = part(ratio("rods", "width, stretched")), thickness = part(ratio("rods", "thickness, stretched")),
    volume = part(ratio("rods", "volume, stretched")), force = part(ratio("rods", "force, stretched")),
    why = ratio("rods", "force, stretched").value > 1.1
      and ": a cross-section has one frame, so the outer rods, which slant toward the clamps, are sheared" or "",
    torque = part(ratio("rods", "torque, twisted")), thin = part(ratio("rods", "thickness, twisted")),
    draw = ratio("free", "width, stretched").value > ratio("rods", "width, stretched").value
      and ", because nothing pulls the rods together as they stretch" or "",
    free = part(ratio("free", "width, stretched")), cross = part(ratio("cross", "width, stretched")), picture = picture("fem_band"),
  })
end
page.put("---\n{1}", { page.footer })
