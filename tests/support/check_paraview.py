# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks with pvpython that each of ParaView's XDMF readers sees the frames of a sidecar.

Usage: check_paraview.py SIDECAR
The run is that of the fake solver: node i at x0 + 0.01 sin(2 t + i), scale 1 + 0.01 cos(2 t).
"""
import math
import sys

from paraview import simple
from paraview.servermanager import Fetch


def leaf(data):
    """The one data set in what a reader gives."""
    while data.IsA("vtkMultiBlockDataSet"):
        data = data.GetBlock(0)
    return data


def check(reader, name):
    times = [round(t, 12) for t in reader.TimestepValues]
    assert times == [0, 0.1, 0.2], f"{name}: times {times}"
    for t in times:
        reader.UpdatePipeline(t)
        grid = leaf(Fetch(reader))
        assert grid.GetNumberOfPoints() == 8, f"{name}: {grid.GetNumberOfPoints()} points"
        assert grid.GetNumberOfCells() == 6, f"{name}: {grid.GetNumberOfCells()} cells"
        arrays = grid.GetPointData()
        for i in range(5):
            x = 0.1 * i + 0.01 * math.sin(2 * t + i)
            assert abs(grid.GetPoint(i)[0] - x) < 1e-6, f"{name}: point {i} at {t}"
            scale = arrays.GetArray("scale").GetTuple1(i)
            assert abs(scale - 1 - 0.01 * math.cos(2 * t)) < 1e-6, f"{name}: scale at {t}"
            radius = arrays.GetArray("radius").GetTuple1(i)
            assert abs(radius - 0.02 * scale) < 1e-8, f"{name}: radius at {t}"
        assert arrays.GetArray("velocity").GetNumberOfComponents() == 3, f"{name}: velocity"
        assert grid.GetCell(5).GetPointId(1) == 7, f"{name}: last segment"


def main(sidecar):
    check(simple.XDMFReader(FileNames=[sidecar]), "XDMFReader")
    check(simple.Xdmf3ReaderS(FileName=[sidecar]), "Xdmf3ReaderS")
    check(simple.Xdmf3ReaderT(FileName=[sidecar]), "Xdmf3ReaderT")


main(sys.argv[1])
