# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks with pvpython that each of ParaView's XDMF readers sees the fields of tetrahedra.

Usage: check_cells.py SIDECAR
The run is that of test_neohookean_surface.c: elements stretched by 1.5, 1 and 0.5 along x, y, z.
"""
import sys

from paraview import simple
from paraview.servermanager import Fetch


def leaf(data):
    """The one data set in what a reader gives."""
    while data.IsA("vtkMultiBlockDataSet"):
        data = data.GetBlock(0)
    return data


def check(reader, name):
    reader.UpdatePipeline(reader.TimestepValues[0])
    grid = leaf(Fetch(reader))
    assert grid.GetNumberOfCells() == 10, f"{name}: {grid.GetNumberOfCells()} cells"
    arrays = grid.GetCellData()
    for cell in range(10):
        assert grid.GetCell(cell).GetNumberOfPoints() == 4, f"{name}: cell {cell} is no tetrahedron"
        assert abs(arrays.GetArray("dilation").GetTuple1(cell) - 0.75) < 1e-12, f"{name}: dilation"
        tensor = arrays.GetArray("deformation").GetTuple9(cell)
        right = (1.5, 0, 0, 0, 1, 0, 0, 0, 0.5)
        assert max(abs(a - b) for a, b in zip(tensor, right)) < 1e-12, f"{name}: {tensor}"
    assert grid.GetPointData().GetArray("velocity").GetNumberOfComponents() == 3, f"{name}: velocity"


def main(sidecar):
    for name in ("XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT"):
        key = "FileNames" if name == "XDMFReader" else "FileName"
        check(getattr(simple, name)(**{key: [sidecar]}), name)


main(*sys.argv[1:])
