"""Giving up rights for good: a user that owns nothing, no capabilities, nothing to gain from a program."""

from __future__ import annotations

import ctypes
import os

from . import system

CAPABILITY_VERSION = 0x20080522
CAP_DAC_OVERRIDE = 1
PR_CAP_AMBIENT_RAISE = 2
#: Numbers of users that no machine gives to people.
STRANGERS = (range(0x4B570000, 0x4B580000), range(61_000, 65_000))


def become_stranger(writable: str) -> bool:
    """Root becomes a user that owns nothing but the folder `writable` and whom nobody else is: the system
    then counts its processes alone, and neither signals nor the traces of other processes are within its
    reach. Others stay who they are. True when this process is such a stranger now.
    """
    if os.getuid() != 0 or not system.control(system.PR_SET_KEEPCAPS, 1):
        return False
    for numbers in STRANGERS:
        number = numbers[int.from_bytes(os.urandom(4), "little") % len(numbers)]
        try:
            os.chown(writable, number, number)
            os.setgroups([])
            os.setresgid(number, number, number)
            os.setresuid(number, number, number)
        except OSError:
            # This number is not mapped here, or a right of root is missing.
            continue
        return True
    return False


def drop_capabilities() -> bool:
    """Gives up every right of root for good, so that no wall can be taken down. One is kept, to read files of
    the user for whom root runs: what must not be read is not in view.
    """
    library = system.libc()
    if library is None:
        return False
    system.control(system.PR_CAP_AMBIENT, system.PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        if capability != CAP_DAC_OVERRIDE:
            system.control(system.PR_CAPBSET_DROP, capability)
    kept = 1 << CAP_DAC_OVERRIDE
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    data = (ctypes.c_uint32 * 6)(kept, kept, kept, 0, 0, 0)
    if library.capset(header, data) != 0:
        # A process without any right of root asks for none.
        data = (ctypes.c_uint32 * 6)(0, 0, 0, 0, 0, 0)
        if library.capset(header, data) != 0:
            return False
    # Programs that are started from here keep it as well.
    system.control(system.PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE)
    return gain_nothing()


def gain_nothing() -> bool:
    """No program that is started from here on gives more rights than its caller has."""
    return system.control(system.PR_SET_NO_NEW_PRIVS, 1)


def be_first_to_go() -> None:
    """When the machine runs out of memory, this process is what the system ends."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        # The system decides by itself then, and mostly alike: the largest process goes.
        return
