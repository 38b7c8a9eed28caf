# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a command as on a kernel that has neither Landlock nor filters of system calls.

  tests/support/without_locks.py COMMAND...

Readers of results are then not confined (src/base/confine.h), and "make coverage" sees what they do: a confined process
cannot write its counts. A filter makes the two questions whether there are such locks fail as an old kernel does.
"""
import ctypes, errno, os, platform, struct, sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, MODE_FILTER = 22, 38, 2
LANDLOCK_CREATE_RULESET = 444  # on every architecture
PRCTL = {'x86_64': 157, 'aarch64': 167}
LOAD, RETURN, IF_EQUAL = 0x20, 0x06, 0x15
ALLOW, FAIL = 0x7fff0000, 0x00050000
NUMBER, FIRST_ARGUMENT = 0, 16  # where they are in struct seccomp_data


def instruction(code, value, if_equal=0, otherwise=0):
    return struct.pack('=HBBI', code, if_equal, otherwise, value)


def program():
    return b''.join((instruction(LOAD, NUMBER),
                     instruction(IF_EQUAL, LANDLOCK_CREATE_RULESET, 0, 1),
                     instruction(RETURN, FAIL | errno.ENOSYS),
                     instruction(IF_EQUAL, PRCTL[platform.machine()], 0, 3),
                     instruction(LOAD, FIRST_ARGUMENT),
                     instruction(IF_EQUAL, PR_SET_SECCOMP, 0, 1),
                     instruction(RETURN, FAIL | errno.EINVAL),
                     instruction(RETURN, ALLOW)))


class Filter(ctypes.Structure):
    """struct sock_fprog"""
    _fields_ = [('length', ctypes.c_ushort), ('program', ctypes.c_char_p)]


def main(command):
    code, libc = program(), ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
            libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(Filter(len(code) // 8, code)), 0, 0):
        sys.exit(f'this kernel puts on no filter of system calls: {os.strerror(ctypes.get_errno())}')
    os.execvp(command[0], command)


if __name__ == '__main__':
    if len(sys.argv) < 2 or sys.argv[1].startswith('-'):
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    main(sys.argv[1:])
