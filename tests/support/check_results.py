# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks with h5py that a run's file, a second equal run and the index of their study keep the layout.

Usage: check_results.py RUN SECOND INDEX
"""
import json
import sys

import h5py
import numpy as np


def datasets(file):
    """All datasets of a file by name, in order, without those of linked files."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset):
            found[name] = item

    file.visititems(visit)
    return found


def check_labels(file):
    for name, data in datasets(file).items():
        labels = [data.attrs.get(key) for key in ("units", "long_name")]
        folder = name.split("/")[0]
        quick = file["scenario/tier"].asstr()[()] == "quick"
        if name.startswith("view/"):
            assert data.is_virtual and labels == [None, None], f"{name} has labels"
        elif quick or folder in ("provenance", "scenario", "solver", "timing", "gates", "topology"):
            unit = None if labels[0] is None else labels[0].decode()
            assert unit not in ("", "1") and labels[1] is None, f"{name}: {labels}"
        else:
            assert all(isinstance(t, np.bytes_) and t.decode() for t in labels), f"{name}: {labels}"
        assert data.dtype.names is None, f"{name} has a compound type"
        text = h5py.check_string_dtype(data.dtype)
        if data.dtype.kind == "O":
            assert text is not None and text.encoding == "utf-8" and text.length is None, name


def check_scale(file, folder, scale, except_for=()):
    x = file[scale]
    tied = folder == "run/frames" or file["scenario/tier"].asstr()[()] != "quick"
    assert h5py.h5ds.is_scale(x.id) == tied, f"whether {scale} is a scale"
    for name, data in datasets(file[folder]).items():
        if data == x or any(name.startswith(e) for e in except_for):
            continue
        assert data.shape[0] == x.shape[0], f"{folder}/{name} has {data.shape[0]} rows"
        assert tied == (x in data.dims[0].values()), f"whether {folder}/{name} has a scale"
        one = len(set(data[()].tobytes()[i:i + 8] for i in range(0, data.nbytes, 8))) == 1
        filled = one and 32 <= data.nbytes <= 4096  # one number, which is in the header
        compact = data.id.get_create_plist().get_layout() == h5py.h5d.COMPACT  # likewise
        assert data.fletcher32 or compact or filled, f"{folder}/{name} has no checksums"
        assert filled == (data.id.get_storage_size() == 0), f"{folder}/{name}: {data[()]}"
        assert filled or compact == (data.nbytes < 320), f"{folder}/{name} of {data.nbytes} bytes"


def check_run(file):
    assert file.attrs["schema_name"] == "viperbench-run"
    assert file.attrs["schema_version"] == "2.7.0"
    check_scale(file, "run", "run/time", except_for=("frames/",))
    check_scale(file, "run/frames", "run/frames/time")
    check_scale(file, "convergence", "convergence/iteration")
    check_scale(file, "timing", "timing/number", except_for=("summary/",))
    topology = file["topology"]
    n, s = len(topology["rest_position"]), len(topology["segment"])
    b, p, f = len(topology["body_name"]), len(topology["driver_name"]), len(file["run/frames/time"])
    for name, shape in {
        "rest_position": (n, 3), "rest_radius": (n,), "pin_position": (n, 3), "pin_scale": (n,),
        "pin_frame": (s,), "rest_length": (s,), "rest_frame": (s, 4), "body": (n,),
        "density": (s,), "stiffness": (s, 3), "surface_stiffness": (s, 2),
        "volume_stiffness": (s,)}.items():
        assert topology[name].shape == shape, f"{name} is {topology[name].shape}"
    t = len(file["run/time"])
    for name, shape in {
        "frames/position": (f, n, 3), "frames/scale": (f, n), "frames/radius": (f, n),
        "frames/frame": (f, s, 4), "reaction/force": (t, p, 3), "reaction/torque": (t, p, 3),
        "momentum": (t, 3), "volume_error/rms_by_body": (t, b)}.items():
        assert file["run"][name].shape == shape, f"{name} is {file['run'][name].shape}"
    # One frame is read without much beside it.
    chunks = file["run/frames/position"].chunks
    assert chunks[1:] == (n, 3) and chunks[0] * n * 24 <= 2**18, chunks
    compressed = file["run/frames/position"].nbytes >= 320
    assert file["run/frames/position"].compression == ("gzip" if compressed else None)
    assert file["run/time"].maxshape == file["run/time"].shape, "a series of a finished run may still grow"
    assert file["run"].attrs["status"] == "complete"
    assert file["run"].attrs["convergence"] == "not judged"
    assert file["run"].attrs["steps"] == 20
    assert topology["stiffness"][0].tolist() == [1e6, 1e6, 1e6]
    assert topology["surface_stiffness"][0].tolist() == [1e2, 1e2]
    assert topology["volume_stiffness"][0] == 1e7
    for name, unit in {"stiffness": "Pa", "surface_stiffness": "Pa m2",
                       "volume_stiffness": "Pa"}.items():
        assert topology[name].attrs["units"].decode() == unit
    assert topology["pin_position"][0].tolist() == [1, 1, 1]
    assert topology["pin_position"][1:].sum() == 0
    assert topology["body_name"].asstr()[0] == "long"


def check_texts(file):
    assert file["scenario/script"].asstr()[()].tolist() == ["return {} -- \u00e9t\u00e9"]
    assert json.loads(file["scenario/parameters"].asstr()[()]) == {"n": 5}
    assert len(file["scenario/scene_sha256"].asstr()[()]) == 64
    assert json.loads(file["solver/options"].asstr()[()])["iterations"] == "7"
    description = json.loads(file["solver/description"].asstr()[0])
    assert [e["name"] for e in description["energies"]] == ["stretch", "kinetic"]
    assert file["solver/method"].asstr()[()] == "exact, in use"
    assert set(json.loads(file["provenance/libraries"].asstr()[()])) == {
        "blas", "cholmod", "hdf5", "gsl", "jansson", "lua"}
    for name, data in file["provenance"].items():
        assert data.shape == () and data[()] != b"", name
    assert file["provenance/threads"][()] >= 1


def check_views(file):
    frames = file["run/frames"]
    assert list(file["view"]) == ["frame_000000", "frame_000002", "frame_000004"]  # of the tier quick
    for i, view in zip((0, 2, 4), file["view"].values()):
        assert sorted(view) == ["position", "radius", "scale", "velocity"]
        for name, data in view.items():
            assert data.is_virtual and np.array_equal(data[()], frames[name][i]), name


def check_equal(file, second):
    one, two = datasets(file), datasets(second)
    assert list(one) == list(two)
    for name, data in one.items():
        if not name.startswith(("provenance/", "timing/")):
            a, b = np.asarray(data[()]), np.asarray(two[name][()])
            same = np.array_equal(a, b) if a.dtype.kind == "O" else a.tobytes() == b.tobytes()
            assert same and data.dtype == two[name].dtype, f"{name} differs"


def check_gates(file):
    gates = file["gates"]
    assert {len(column) for column in gates.values()} == {1}
    assert gates["name"].asstr()[0] == "end of the stretch energy"
    assert gates["runs"].asstr()[0] == "a"
    assert gates["measure"].asstr()[0] == "final"
    assert gates["comparator"].asstr()[0] == "near"
    assert (gates["value"][0], gates["reference"][0], gates["tolerance"][0]) == (0.96, 1, 0.1)
    assert gates["passed"][0] == 1
    assert np.isneginf(gates["from"][0])


def check_index(index, run):
    assert index.attrs["schema_name"] == "viperbench-study"
    assert index.attrs["figure"] == "wobble_figure"
    assert list(index["runs"]) == ["a"]
    assert isinstance(index["runs"].get("a", getlink=True), h5py.ExternalLink)
    assert np.array_equal(index["runs/a/run/energy/total"][()], run["run/energy/total"][()])
    assert index["scenario/runs"].asstr()[:].tolist() == ["a"]
    assert index["scenario/title"].asstr()[()] == "Wobbles"


def main(run_path, second_path, index_path):
    with h5py.File(run_path) as run, h5py.File(second_path) as second:
        check_labels(run)
        check_run(run)
        check_texts(run)
        check_views(run)
        check_equal(run, second)
        check_gates(run)
        with h5py.File(index_path) as index:
            check_labels(index)
            check_index(index, run)
            check_gates(index)


main(*sys.argv[1:])
