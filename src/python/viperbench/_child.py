# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that holds a solver in Python: viperbench starts it, as python3 _child.py FOLDER NAME, with FOLDER the
program's and NAME the solver's ("mine.py", "mine.py:Class", "check:mine.py")."""
import importlib.util
import os
import sys

PACKAGE = os.path.dirname(os.path.abspath(__file__))
LEAST_PYTHON, OK, BAD_INPUT, UNAVAILABLE = (3, 8), 0, 2, 3


def split(name):
    """Path and class, '' where none is named."""
    name = name[len('check:'):] if name.startswith('check:') else name
    path, colon, cls = name.rpartition(':')
    return (path, cls) if colon and path.endswith('.py') else (name, '')


def load_module(path):
    """Runs the file, with what lies beside it to be imported."""
    sys.path.insert(0, os.path.dirname(path))
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def choose(module, wanted):
    """The class of that name, or the only one that the file itself defines."""
    from viperbench._library import BadInput
    from viperbench.solver import Solver
    classes = {name: value for name, value in vars(module).items() if isinstance(value, type)
               and issubclass(value, Solver) and value is not Solver}
    own = {name: value for name, value in classes.items() if value.__module__ == module.__name__}
    if wanted and wanted not in classes:
        raise BadInput('has no class {} of viperbench.Solver; it has {}'.format(wanted, ', '.join(classes) or 'none'))
    if not wanted and len(own) != 1:
        raise BadInput('has {} classes of viperbench.Solver; {}'.format(
            len(own) or 'no', 'name one, as in mine.py:' + next(iter(own)) if own else 'it must define one'))
    return classes[wanted] if wanted else next(iter(own.values()))


def find(path, wanted, out, error, kept):
    """Imports the solver and writes its table; a status."""
    def tell(status, text):
        error.contents.status = status
        error.contents.message = ' '.join(text.split()).encode()[:1023]
        return status
    if sys.version_info < LEAST_PYTHON:
        return tell(UNAVAILABLE, '{} is Python {}.{}; a solver needs 3.8 or later'.format(
            sys.executable, *sys.version_info))
    try:
        import numpy  # noqa: F401
    except ImportError:
        return tell(UNAVAILABLE, '{} has no numpy; install it there, or name another python3 in '
                    'VIPERBENCH_PYTHON'.format(sys.executable))
    import ctypes
    from viperbench import _bridge
    from viperbench._library import BadInput, Unavailable
    try:
        kept.append(_bridge.Bridge(choose(load_module(path), wanted), path))
    except Unavailable as reason:
        return tell(UNAVAILABLE, _bridge.where(reason, path))
    except BadInput as reason:
        return tell(BAD_INPUT, str(reason))
    except BaseException as reason:
        return tell(BAD_INPUT, _bridge.where(reason, path))
    out[0] = ctypes.addressof(kept[-1].table)
    return OK


def main():
    folder, name = sys.argv[1:3]
    sys.path[0] = os.path.dirname(PACKAGE)
    from viperbench import _library
    path, wanted = split(name)
    kept = []
    callback = _library.FIND(lambda out, error: find(os.path.abspath(path), wanted, out, error, kept))
    error = _library.CError()
    try:
        library = _library.library(folder)
    except _library.Unavailable as reason:
        print('viperbench: {}'.format(reason), file=sys.stderr)
        os._exit(UNAVAILABLE)
    status = library.vb_python_serve(name.encode(), callback, error)
    if status:
        print('viperbench: ' + error.message.decode(), file=sys.stderr)
    os._exit(status)  # the host is gone: nobody waits for what a solver's modules have to put in order


if __name__ == '__main__':
    main()
