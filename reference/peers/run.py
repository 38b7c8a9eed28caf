# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the packages of the peers and runs them: what `make peers` calls.

  run.py [--tier quick|full] [--out FOLDER] [--only PEER,..] [--regold [all|new]]

Each peer has a virtual environment of its own in build/peers, made by pip from requirements-PEER.txt, whose hashes must
agree. A peer whose packages cannot be had is left out, and named with the reason at the end. Then its own test runs,
check_PEER.py: one published example, and planted wrong mappings. Peers are installed and tested side by side, for nothing
is timed there. Then our entries and theirs run on the problems, one run after the other, and all of them are joined in
FOLDER/peers.h5, of which FOLDER/peers.md and its figure are made. Exit code: 0, or 1 where a check failed."""
import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENVIRONMENTS = os.path.join(ROOT, 'build', 'peers')
THREADS = {'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1'}  # of packages, as of ours: so does `python` beside this
# Peers by name, with the file of their adapter; those first whose tests take longest, for they run side by side.
PEERS = {'newton': 'newton_cables.py', 'pyelastica': 'pyelastica.py', 'pypbd': 'pypbd_rods.py', 'mujoco': 'mujoco_cables.py',
         'exudyn': 'exudyn_beams.py'}
# Packages that cannot run here, with reasons; they are told and counted.
WITHOUT = {'dismech': 'dismech-newton 0.1.0 runs on CUDA devices alone, and refuses others; it has no adapter'}
OURS = ('viper', 'solid', 'xpbd', 'cosserat', 'umetani', 'neohookean')


def call(words, **environment):
    """The exit code of a command and what it said; for commands that print a lot only in vain."""
    done = subprocess.run(words, cwd=ROOT, env=dict(os.environ, **THREADS, **environment), capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def make_installer():
    """Makes the environment whose pip installs into all others, which then need none of their own; why not, or ''."""
    pip = os.path.join(ENVIRONMENTS, 'installer', 'bin', 'pip')
    if os.path.exists(pip):
        return ''
    code, text = call([sys.executable, '-m', 'venv', os.path.join(ENVIRONMENTS, 'installer')])
    return (text.splitlines() or ['venv failed'])[-1] if code else ''


def install(peer):
    """Makes the environment of a peer, unless it is there from the same requirements; why not, or ''. What a package does not
    import is not compiled to byte code, for that takes longer than the rest."""
    folder, wanted = os.path.join(ENVIRONMENTS, peer), os.path.join(HERE, f'requirements-{peer}.txt')
    mark = os.path.join(folder, 'installed.txt')
    if os.path.exists(mark) and open(mark).read() == open(wanted).read():
        return ''
    code, text = call([sys.executable, '-m', 'venv', '--without-pip', folder])
    if not code:
        code, text = call([os.path.join(ENVIRONMENTS, 'installer', 'bin', 'pip'), '--python', os.path.join(folder, 'bin', 'python3'),
                           'install', '-q', '--disable-pip-version-check', '--no-compile', '--require-hashes', '-r', wanted])
    if code:
        return (text.splitlines() or ['pip failed'])[-1]
    with open(mark, 'w') as file:
        file.write(open(wanted).read())
    return ''


def check(peer, program):
    """The peer's own test: its exit code and its lines."""
    environment = os.path.join(ENVIRONMENTS, peer, 'bin', 'python3')
    return call([environment, '-W', 'ignore', os.path.join(HERE, f'check_{peer}.py')],
                PYTHONPATH=os.path.join(ROOT, 'src', 'python'), VIPERBENCH=program)


def prepare(peer, program):
    """Installs a peer and runs its test: why it cannot be had, or '', the code and the lines of the test."""
    reason = install(peer)
    return (reason, 0, '') if reason else ('', *check(peer, program))


@contextlib.contextmanager
def kept(peer):
    """The interpreter of a peer, kept for all of its runs (interpreter.py): its socket, and the seconds of its imports and of its
    first calls; '' and nothing where it does not start, and each run has one of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'socket')
        with subprocess.Popen([os.path.join(ENVIRONMENTS, peer, 'bin', 'python3'), '-W', 'ignore', os.path.join(HERE, 'interpreter.py'),
                               path, PEERS[peer]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, env=dict(os.environ, **THREADS)) as server:
            line = server.stdout.readline()
            yield (path, json.loads(line)) if line.startswith('[') else ('', [])
            server.stdin.close()


def enter(peer, options):
    """Runs the entry of a peer, or of one of our solvers; its index, what went wrong, or '', and how long its interpreter starts."""
    script = f'reference/peers/entries/peer_{peer}.lua'
    words = [options.program, 'run', script, '--tier', options.tier, '--out', options.out, '--quiet']
    if peer in PEERS:
        with kept(peer) as (path, start):
            code, text = call([*words, '--solver', f'reference/peers/{PEERS[peer]}'], VIPERBENCH_HOME=ROOT,
                              VIPERBENCH_PYTHON=os.path.join(HERE, 'python'), PEER_SOCKET=path)
    else:
        start = []
        code, text = call(words, VIPERBENCH_HOME=ROOT)
    index = os.path.join(options.out, f'peer_{peer}.h5')
    return index if os.path.exists(index) else None, text if code not in (0, 1) else '', start


class Clock:
    """What parts of this took, of wall time and of processors."""

    def __init__(self):
        self.last = self.now()

    @staticmethod
    def now():
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return time.monotonic(), sum(u.ru_utime + u.ru_stime for u in used)

    def told(self):
        now = self.now()
        wall, used = (b - a for a, b in zip(self.last, now))
        self.last = now
        return f'{wall:.0f} s, {used:.0f} s of processors'


def tell_troubles(page, lines):
    """Adds to the page what users reported about the peers, as these versions have it, beside the same scene by viper."""
    with open(page, 'a') as file:
        file.write('\n## Reported troubles, by version\n\nThe same scene by viper beside each, with its method. "Seen" is a number'
                   ' above the limit.\n\n| peer | trouble | peer | seen | viper | limit |\n|---|---|---|---|---|---|\n')
        file.writelines(f'| {line[len("trouble: "):]} |\n' for line in lines)


def tell_starts(page, starts):
    """Adds to the page what the preparation of a run leaves out, as the interpreter of a peer is kept for all of its runs."""
    with open(page, 'a') as file:
        file.write('\n## Imports and kernels\n\nOnce for all runs of a peer: its imports, and where it compiles, its first calls, which'
                   ' load kernels that an earlier\nstart has compiled. No time above has a part of these.\n\n'
                   '| peer | imports | first calls |\n|---|---|---|\n')
        file.writelines(f'| {peer} | {imports:.2g} s | {calls:.2g} s |\n' for peer, (imports, calls) in starts.items())


def make_page(options, indexes, troubles, starts):
    """Joins the indexes, writes the page and compares with gold: whether all agree, and why there is no page, or ''."""
    whole = os.path.join(options.out, 'peers.h5')
    code, text = call(['/usr/bin/python3', os.path.join(HERE, 'join.py'), whole, *indexes])
    if code:
        reason = (text.splitlines() or ['join.py failed'])[-1]
        if 'No module named' in reason:
            return True, reason
        print(f'join.py: {reason}')
        return False, ''
    code, text = call([options.program, 'plot', 'reference/peers/peers.lua', '--out', options.out], VIPERBENCH_HOME=ROOT)
    page = os.path.join(options.out, 'peers.md')
    print(text or page)
    if not code:
        tell_troubles(page, troubles)
        tell_starts(page, starts)
        report = os.path.join(options.out, 'peers.html')
        code, text = call([options.program, 'report', whole, '--force', '-o', report], VIPERBENCH_HOME=ROOT)
        print(text if code else report)
    good, (code, text) = code == 0, call(['/usr/bin/python3', os.path.join(HERE, 'gold.py'), whole, os.path.join(HERE, 'gold.json'),
                                          *(['--regold', options.regold] if options.regold else [])])
    print(text)
    return good and code == 0, ''


def arguments():
    parser = argparse.ArgumentParser(description='Runs other packages of rods beside ours.')
    parser.add_argument('--tier', default='quick', choices=('quick', 'full'))
    parser.add_argument('--out', default=os.path.join(ROOT, 'results'))
    parser.add_argument('--only', default=','.join(PEERS))
    parser.add_argument('--regold', nargs='?', const='all', choices=('all', 'new'), help='take answers as gold: all, or those that have none')
    parser.add_argument('--program', default=os.environ.get('VIPERBENCH', os.path.join(ROOT, 'bin', 'viperbench')))
    return parser.parse_args()


def main():
    options, clock = arguments(), Clock()
    passed, failed, indexes, troubles, starts, absent = 0, 0, [], [], {}, set()
    chosen = [peer for peer in PEERS if peer in options.only.split(',')]
    skipped = [f'SKIPPED ({peer}): {reason}' for peer, reason in WITHOUT.items()]
    code, text = call(['/usr/bin/python3', '-W', 'ignore', os.path.join(HERE, 'check_shared.py')])
    if 'No module named' in text:
        skipped.append(f'SKIPPED (shared): {text.splitlines()[-1]}')
    else:
        passed, failed = int(code == 0), int(code != 0)
        print(text)
    reason = make_installer()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        prepared = list(pool.map(lambda peer: (reason, 0, '') if reason else prepare(peer, options.program), chosen))
    for peer, (reason, code, text) in zip(chosen, prepared):
        if reason:
            absent.add(peer)
            skipped.append(f'SKIPPED ({peer}): {reason}')
            continue
        passed, failed = passed + (code == 0), failed + (code != 0)
        told = [line for line in text.splitlines() if line.startswith((f'{peer}:', 'trouble:'))]
        print('\n'.join(told if told and not code else text.splitlines()))
        troubles += [line for line in told if line.startswith('trouble:')]
    print(f'installed and tested: {clock.told()}', flush=True)
    for peer in (*OURS, *(peer for peer in chosen if peer not in absent)):
        index, trouble, start = enter(peer, options)
        print(f'{peer}: {trouble or "ran"}: {clock.told()}', flush=True)
        failed += bool(trouble)
        indexes += [index] if index else []
        starts.update({peer: start} if start else {})
    good, reason = make_page(options, indexes, troubles, starts)
    skipped += [f'SKIPPED (page): {reason}'] if reason else []
    passed, failed = passed + (good and not reason), failed + (not good)
    print('\n'.join([*skipped, f'{passed} passed, {failed} failed, {len(skipped)} skipped']))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
