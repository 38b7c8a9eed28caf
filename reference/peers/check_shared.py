# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of what adapters share and needs none of their packages: an interpreter that is kept (interpreter.py) runs a script
as a new one would, and the joined index (join.py) has every text whole. Faults are planted in copies. It needs h5py and numpy."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ADAPTER = 'import viperbench\nclass Nothing(viperbench.Solver):\n    name = "nothing"\n'
SCRIPT = '''import os, resource, signal, sys, time
def main():
    print(sys.argv[1:], os.getcwd(), sorted(os.environ.items()), sys.stdin.read(), resource.getrlimit(resource.RLIMIT_DATA), flush=True)
    if sys.argv[1] == 'killed':
        os.kill(os.getpid(), signal.SIGKILL)
    if sys.argv[1] == 'waits':
        open(sys.argv[2], 'w').write(str(os.getpid()))
        time.sleep(60)
    sys.exit(int(sys.argv[1]))
if __name__ == '__main__':
    main()
'''


def put(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


def limited():
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 33, 1 << 33))


def answer(words, folder):
    """What a call prints and how it ends, in an environment and a folder of its own, under a limit."""
    done = subprocess.run(words, cwd=folder, env={'PATH': os.environ['PATH'], 'LC_CTYPE': 'C.UTF-8', 'MARK': 'x'}, input='told', text=True,
                          capture_output=True, preexec_fn=limited, check=False)
    return done.stdout, done.returncode


def lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f'/proc/{pid}/stat') as file:
        return file.read().rpartition(')')[2].split()[0] != 'Z'


def ends_with_caller(call, folder):
    """Whether the process of a caller that is killed ends, too."""
    mark = os.path.join(folder, 'pid')
    with subprocess.Popen([*call, 'waits', mark], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as caller:
        until = time.monotonic() + 10
        while not (os.path.exists(mark) and os.path.getsize(mark)) and time.monotonic() < until:
            time.sleep(0.01)
        caller.send_signal(signal.SIGKILL)
    with open(mark) as file:
        pid = int(file.read())
    os.remove(mark)
    while lives(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not lives(pid)


def keeps(interpreter, folder):
    """Whether calls of the kept interpreter end and print as those of a new one."""
    script, path = put(folder, 'script.py', SCRIPT), os.path.join(folder, 'socket')
    with subprocess.Popen([sys.executable, interpreter, path, put(folder, 'nothing.py', ADAPTER)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as server:
        good = server.stdout.readline().startswith('[')
        call = [sys.executable, '-I', '-S', interpreter, path, '--call', script]
        for argument in ('0', '3', 'killed'):
            good = good and answer([*call, argument], folder) == answer([sys.executable, script, argument], folder)
        good = good and ends_with_caller(call, folder)
        server.stdin.close()
    os.remove(path)
    return good


def joins(join, folder):
    """Whether the texts of two entries, the first's shorter, are whole in their joined index."""
    paths = []
    for entry, verdict in (('short', 'no'), ('longer', 'not judged')):
        paths.append(os.path.join(folder, entry + '.h5'))
        with h5py.File(paths[-1], 'w') as file:
            file.create_group('provenance')
            for name in ('study', 'title', 'settings', 'script'):
                file.create_dataset(f'scenario/{name}', data=name, dtype=h5py.string_dtype())
            file['scenario/tier'] = np.array(b'quick')
            file['scenario/runs'], file['gates/runs'] = (np.array([b'n8'], 'S2') for _ in range(2))
            file['gates/verdict'], file['gates/value'] = np.array([verdict], 'S'), [1.0]
            file['runs/n8'] = h5py.ExternalLink(f'{entry}-n8.h5', '/')
    whole = os.path.join(folder, 'whole.h5')
    if subprocess.run([sys.executable, join, whole, *paths], stderr=subprocess.DEVNULL, check=False).returncode:
        return False
    with h5py.File(whole) as file:
        return (list(file['gates/verdict'][:]) == [b'no', b'not judged'] and list(file['gates/runs'][:]) == [b'short-n8', b'longer-n8']
                and file['scenario/tier'][()] == b'quick' and list(file['scenario/runs'][:]) == [b'short-n8', b'longer-n8']
                and set(file['runs']) == {'short-n8', 'longer-n8'})


FAULTS = [('interpreter.py', keeps, 'its exit code', "'descriptors': passed,", "'descriptors': passed[:1],"),
          ('interpreter.py', keeps, 'its environment', 'os.environ.update(', '(lambda _: None)('),
          ('interpreter.py', keeps, 'its limits', 'LIMITS = (0, 2, 7)', 'LIMITS = (0, 7)'),
          ('interpreter.py', keeps, 'its signal', 'os.kill(os.getpid(), os.WTERMSIG(ended))', 'os._exit(1)'),
          ('interpreter.py', keeps, 'its end', 'os.killpg(child, signal.SIGKILL)', 'None'),
          ('join.py', joins, 'the width of texts', '(len(value) for value in texts)', '(len(value) for value in texts[:1])'),
          ('join.py', joins, 'a single text', '[values] if np.ndim(values) == 0 else values', 'values')]


def main():
    failed = 0

    def tell(what, good):
        nonlocal failed
        failed += not good
        print(f'shared: {what}: {"yes" if good else "NO"}')
    with tempfile.TemporaryDirectory() as folder:
        tell('a kept interpreter runs a script as a new one', keeps(os.path.join(HERE, 'interpreter.py'), folder))
        tell('a joined index has its texts whole', joins(os.path.join(HERE, 'join.py'), folder))
        copy = os.path.join(folder, 'reference', 'peers')
        os.makedirs(copy)
        os.makedirs(os.path.join(folder, 'src'))
        os.symlink(os.path.join(HERE, '..', '..', 'src', 'python'), os.path.join(folder, 'src', 'python'))
        for name, check, what, before, after in FAULTS:
            with open(shutil.copy(os.path.join(HERE, name), copy)) as file:
                text = file.read()
            seen = before in text and not check(put(copy, name, text.replace(before, after)), folder)
            tell(f'planted: {what}, is seen', seen)
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
