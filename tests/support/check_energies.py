# SPDX-License-Identifier: GPL-3.0-or-later
"""Recomputes every recorded elastic energy of runs of viper from /topology and /run/frames alone.

Usage: check_energies.py FILE...

Shares no code with the program: the formulas are those of the model, in numpy. Files of other
solvers, and runs that record no frames of position, scale and frame, are passed over, as are stretch
and section of muscles that follow Hill's law: they rest at a stretch that no file has. Prints a line
for each energy that differs, and at the end how much was compared; ends with 1 where one differs or
where nothing was compared.
"""
import sys

import h5py
import numpy as np

TERMS = ("stretch", "section", "taper", "bend", "twist", "surface_bend", "volume", "volume_bend")
# Relative tolerance, and the rounding of recorded numbers, of both precisions. Rounding of a state
# in double precision changes an energy by some 1e-12 of itself where strains are 1e-4; in single
# precision strains of 1e-3 are exact to 1e-4.
PRECISION = {"double": (1e-8, 2.3e-16), "float": (2e-4, 6e-8)}
# A displacement by the rounding of one number changes a measure by a few units in its last place:
# sums of eight numbers.
UNITS = 8


def multiply(p, q):
    """Products of quaternions (w, x, y, z)."""
    w = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    v = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])
    return np.concatenate([w, v], axis=-1)


def conjugate(q):
    return q * np.array([1.0, -1, -1, -1])


def third_axis(q):
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z], -1)


def curve_at(topology, curve, time):
    """The value of a curve through keys: held, linear, or monotone cubic (Fritsch and Butland)."""
    first, n = topology["curve"][curve]
    t = topology["key_time"][first:first + n]
    v = topology["key_value"][first:first + n]
    way = topology["key_interpolation"][first:first + n]
    if time <= t[0] or n == 1:
        return v[0]
    if time >= t[-1]:
        return v[-1]
    k = int(np.searchsorted(t, time, side="right")) - 1
    if way[k] == 0:
        return v[k]
    h = t[k + 1] - t[k]
    x = (time - t[k]) / h
    if way[k] == 1:
        return v[k] + x * (v[k + 1] - v[k])

    def slope(i):
        if i == 0 or i == n - 1:
            return 0.0
        h0, h1 = t[i] - t[i - 1], t[i + 1] - t[i]
        d0, d1 = (v[i] - v[i - 1]) / h0, (v[i + 1] - v[i]) / h1
        if d0 * d1 <= 0:
            return 0.0
        a = (1 + h1 / (h0 + h1)) / 3
        return d0 * d1 / (a * d1 + (1 - a) * d0)

    return ((1 + 2 * x) * (1 - x) ** 2 * v[k] + x * (1 - x) ** 2 * h * slope(k)
            + x * x * (3 - 2 * x) * v[k + 1] - x * x * (1 - x) * h * slope(k + 1))


def columns(rows):
    """The rows as a matrix, also where there is none: a rod of one segment has no joint."""
    return rows.reshape(len(rows), rows.size // max(len(rows), 1))


class Rods:
    """What a run's topology says of its rods."""

    def __init__(self, topology):
        self.topology = {name: data[()] for name, data in topology.items()
                         if data.dtype.kind != "O"}
        t = self.topology
        self.a, self.b = t["segment"].T
        self.l = t["rest_length"]
        radius = t["rest_radius"]
        self.r = (radius[self.a] + radius[self.b]) / 2
        self.area = np.pi * self.r ** 2
        self.kx, self.ky, self.kz = t["stiffness"].T
        self.kb = t["surface_stiffness"].sum(axis=1)
        self.kv = t["volume_stiffness"]
        self.make_solid(t)
        self.factor = np.ones((len(self.l), 2))
        if "bending_segment" in t:
            self.factor[t["bending_segment"]] = t["bending_factor"]
        self.make_joints(t)

    def make_solid(self, t):
        """Segments of the material model solid: k G with the shear coefficient of a circle, the
        stiffnesses that their joints have, and the coefficient of the slant at rest."""
        self.solid = t["material_model"] == 1
        young, shear = t["segment_young"], t["segment_shear"]
        nu = np.where(self.solid, young / np.where(self.solid, 2 * shear, 1) - 1, 0)
        self.shear = np.where(self.solid, 6 * (1 + nu) / (7 + 6 * nu) * shear, self.kz)
        self.slant = 0.02 * (self.kz / np.where(self.solid, self.shear, 1) - 1)
        self.turn = np.where(self.solid, 2 * shear, self.kx + self.ky)  # of twist and taper
        # What resists bending: E as kv of a solid segment that has one, else as kz.
        own = np.where(self.kv > 0, 0, young), np.where(self.kv > 0, young, 0)
        self.bend, self.volume_bend = (np.where(self.solid, solid, published)
                                       for solid, published in zip(own, (self.kz, self.kv)))

    def make_joints(self, t):
        self.j, self.k = t["joint"].reshape(-1, 2).T
        self.node = t["joint_node"]
        j, k = self.j, self.k
        self.lm = (self.l[j] + self.l[k]) / 2
        self.jr = (self.r[j] + self.r[k]) / 2
        self.turned_j = self.b[j] != self.node
        self.turned_k = self.a[k] != self.node
        p = self.relative(t["rest_frame"])
        p = np.where(p[:, :1] < 0, -p, p)
        if "rest_curvature_joint" in t:
            at = t["rest_curvature_joint"]
            im = self.lm[at, None] / 2 * t["rest_curvature"]
            p[at] = np.concatenate([np.sqrt(1 - np.sum(im ** 2, 1, keepdims=True)), im], axis=1)
        half = p + np.array([1.0, 0, 0, 0])
        self.half = half / np.linalg.norm(half, axis=1, keepdims=True)
        meet = np.bincount(np.concatenate([self.a, self.b]), minlength=len(t["rest_radius"]))
        self.omega_rest = np.where(meet[self.node, None] == 2, 2 / self.lm[:, None] * p[:, 1:], 0)

    def relative(self, frame):
        """conj(Q'_j) Q'_k of all joints, frames turned to run along the joint's path."""
        turn = np.array([0.0, 1, 0, 0])
        q_j, q_k = frame[self.j], frame[self.k]
        q_j = np.where(self.turned_j[:, None], multiply(q_j, turn), q_j)
        q_k = np.where(self.turned_k[:, None], multiply(q_k, turn), q_k)
        return multiply(conjugate(q_j), q_k)

    def activation(self, time):
        """Active stretch, and active scale of sections, of all segments."""
        stretch, scale = np.ones(len(self.l)), np.ones(len(self.l))
        t = self.topology
        for i in range(len(t.get("activation_kind", ()))):
            location, index = t["activation_element"][i]
            kind = t["activation_kind"][i]
            if location != 1 or kind == 2:  # not a segment's; a force has no energy
                continue
            stretch[index] = curve_at(t, t["activation_curve"][i], time)
            if kind == 0:
                scale[index] = stretch[index] ** -0.5
        return stretch, scale

    def of_segments(self, x, s, frame, time):
        a, b, l = self.a, self.b, self.l
        dc, ds, sm = (x[b] - x[a]) / l[:, None], (s[b] - s[a]) / l, (s[a] + s[b]) / 2
        w = third_axis(frame)
        active, section = self.activation(time)
        kxy = self.kx + self.ky
        d_c = np.max(np.abs(x), initial=1) / l
        # The stretch along the frame's axis, for the rows that only the model solid has.
        c = self.slant * (section / np.maximum(active, 0.25)) ** 3
        q = np.sum(dc * w, 1) + c * np.sum(dc * dc, 1) * np.sum(np.cross(dc, w) ** 2, 1)
        stretch = np.column_stack([dc - active[:, None] * w, q - active])
        volume = np.column_stack([sm[:, None] ** 2 * dc - w, sm ** 2 * q - 1])
        k = self.area * l
        of_rows = lambda vector, scalar: np.column_stack([k * vector] * 3 + [k * scalar])
        return {
            "stretch": (stretch, of_rows(self.shear, self.kz - self.shear), d_c),
            "section": (sm - section, k * kxy, 1.0),
            "taper": (ds, k * self.r ** 2 / 4 * self.turn, 1 / l),
            "volume": (volume, of_rows(np.where(self.solid, 0, self.kv),
                                       np.where(self.solid, self.kv, 0)), d_c)}

    def of_joints(self, s, frame):
        j, k, lm = self.j, self.k, self.lm
        mean = lambda values: (values[j] + values[k]) / 2
        d = multiply(multiply(conjugate(self.half), self.relative(frame)), conjugate(self.half))
        re, im = d[:, :1], d[:, 1:]
        scale = s[self.node][:, None]
        measure = lambda p: 2 * p / lm[:, None] * im + (p - 1) * self.omega_rest * re
        shape = np.pi * self.jr ** 4 / 4 * lm
        first = np.where(self.turned_j, self.b[j], self.a[j])
        last = np.where(self.turned_k, self.a[k], self.b[k])
        lap = ((s[last] - s[self.node]) / self.l[k] - (s[self.node] - s[first]) / self.l[j]) / lm
        bend = np.stack([mean(self.bend * f) for f in self.factor.T], 1)
        volume = np.stack([mean(self.volume_bend * f) for f in self.factor.T], 1)
        return {
            "bend": (measure(scale)[:, :2], shape[:, None] * bend, 1 / lm),
            "twist": (measure(scale)[:, 2], shape * mean(self.turn), 1 / lm),
            "surface_bend": (lap, shape * mean(self.kb), 1 / lm / np.minimum(self.l[j], self.l[k])),
            "volume_bend": (measure(scale ** 3)[:, :2], shape[:, None] * volume, 1 / lm)}

    def energies(self, x, s, frame, time, eps):
        """By term the energy, and how far rounding of the state may move it."""
        rows = {**self.of_segments(x, s, frame, time), **self.of_joints(s, frame)}
        if "hill" in self.topology:
            del rows["stretch"], rows["section"]
        out = {}
        for term, (w, k, size) in rows.items():
            w, k = columns(w), np.broadcast_to(columns(k), columns(w).shape)
            move = UNITS * eps * np.broadcast_to(np.reshape(size, (-1, 1)), w.shape)
            out[term] = (np.sum(k * w * w) / 2, np.sum(k * (np.abs(w) * move + move ** 2)))
        return out


def check(path):
    """Compares all frames of one run; returns how many energies were compared, and how many differ."""
    with h5py.File(path) as file:
        if "solver" not in file or file["solver/name"].asstr()[()] != "viper":
            return 0, 0
        frames = file["run"].get("frames")
        if frames is None or not {"position", "scale", "frame"} <= set(frames):
            return 0, 0
        tolerance, eps = PRECISION[file["solver/precision"].asstr()[()]]
        rods = Rods(file["topology"])
        series = file["run/time"][()]
        n = bad = 0
        for i in range(int(file["run/frames"].attrs["rows"])):
            time = frames["time"][i]
            row = np.flatnonzero(np.abs(series - time) < 1e-9 * max(1, abs(time)))
            if len(row) == 0 or row[0] >= file["run"].attrs["rows"]:
                continue
            state = [frames[name][i] for name in ("position", "scale", "frame")]
            for term, (energy, rounding) in rods.energies(*state, time, eps).items():
                recorded = file["run/energy"][term][row[0]] if term in file["run/energy"] else 0.0
                n += 1
                if not abs(energy - recorded) <= tolerance * abs(recorded) + rounding:
                    bad += 1
                    print(f"{path}: {term} at {time:g} s is {recorded:.12g} J, and "
                          f"{energy:.12g} J by its frame ({abs(energy / recorded - 1):.1e})"
                          if recorded else f"{path}: {term} at {time:g} s is 0, not {energy:.3g} J")
        return n, bad


def main(paths):
    n = bad = runs = 0
    for path in paths:
        compared, differ = check(path)
        n, bad, runs = n + compared, bad + differ, runs + (compared > 0)
    print(f"{n} energies of {runs} runs compared, {bad} differ")
    return 1 if bad or n == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
