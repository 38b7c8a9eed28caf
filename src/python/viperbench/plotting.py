# SPDX-License-Identifier: GPL-3.0-or-later
"""The usual curves of results, by matplotlib."""
from ._library import BadInput, Unavailable
from .results import Study


def _label(axes, column):
    axes.set_xlabel('time [s]')
    axes.set_ylabel(f'{column.long_name} [{column.units}]')


def _series(run, quantity, row, component):
    """Times and values of a quantity: of an element and component where it has many."""
    column = run[quantity]
    if len(column.shape) > 1 + (row is not None) + (component is not None):
        raise BadInput(f'{quantity} has the shape {column.shape}; give a row, and a component')
    index = tuple(i for i in (row, component) if i is not None)
    time = run['frames/time'] if quantity.startswith('frames/') else run.time
    return time[:], column[(slice(None), *index)], column


def plot(what, quantity=None, row=None, component=None, axes=None, **style):
    """Draws curves over the time and returns the axes. Of a run its energies, or the `quantity` ("energy/stretch",
    "frames/position" with a row and a component); of a study that quantity of all runs, the total energy by
    default. `style` goes to matplotlib's plot."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as reason:
        raise Unavailable('curves are drawn by matplotlib, which this Python has not') from reason
    axes = axes or plt.subplots(constrained_layout=True)[1]
    if isinstance(what, Study):
        for name, run in what.runs.items():
            time, values, column = _series(run, quantity or 'energy/total', row, component)
            axes.plot(time, values, label=name, **style)
        _label(axes, column)
    elif quantity:
        time, values, column = _series(what, quantity, row, component)
        axes.plot(time, values, **style)
        _label(axes, column)
    else:
        for name in what.energy:
            axes.plot(what.time[:], what.energy[name][:], label=name, **style)
        axes.set_xlabel('time [s]')
        axes.set_ylabel('energy [J]')
    if axes.get_legend_handles_labels()[1]:
        axes.legend()
    return axes
