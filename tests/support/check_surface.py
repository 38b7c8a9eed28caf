# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks with pvpython that each of ParaView's XDMF readers sees the surface of a sidecar.

Usage: check_surface.py SIDECAR VERTICES TRIANGLES
"""
import sys

from paraview import simple
from paraview.servermanager import Fetch


def leaves(data):
    """The data sets in what a reader gives."""
    if data.IsA("vtkMultiBlockDataSet"):
        blocks = [data.GetBlock(i) for i in range(data.GetNumberOfBlocks())]
    elif data.IsA("vtkMultiPieceDataSet"):
        blocks = [data.GetPiece(i) for i in range(data.GetNumberOfPieces())]
    else:
        return [data]
    return [leaf for block in blocks if block for leaf in leaves(block)]


def check(reader, name, vertices, triangles):
    times = list(reader.TimestepValues)
    assert len(times) == 3, f"{name}: times {times}"
    ends = []
    for t in times:
        reader.UpdatePipeline(t)
        seen = leaves(Fetch(reader))
        # One reader unites rods and surface.
        points = sum(leaf.GetNumberOfPoints() for leaf in seen)
        cells = sum(leaf.GetNumberOfCells() for leaf in seen)
        assert (points, cells) == (vertices + 5, triangles + 4), f"{name}: {points}, {cells} at {t}"
        surface = [leaf for leaf in seen
                   if leaf.GetCell(leaf.GetNumberOfCells() - 1).GetNumberOfPoints() == 3]
        assert len(surface) == 1, f"{name}: {len(surface)} surfaces at {t}"
        grid = surface[0]
        last = grid.GetCell(grid.GetNumberOfCells() - 1).GetPointId(0)
        ends.append(grid.GetPoint(last)[0])
    assert ends[0] == 1 < ends[1] < ends[2], f"{name}: the end does not move: {ends}"


def main(sidecar, vertices, triangles):
    for name in ("XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT"):
        key = "FileNames" if name == "XDMFReader" else "FileName"
        check(getattr(simple, name)(**{key: [sidecar]}), name, int(vertices), int(triangles))


main(*sys.argv[1:])
