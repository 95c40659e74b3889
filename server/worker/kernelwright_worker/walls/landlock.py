"""The view of the disk where namespaces are refused (containers without rights): Landlock, which any process
may ask for (Linux 6.2 and later, https://docs.kernel.org/userspace-api/landlock.html).
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct

from . import privileges, system
from .view import View

CREATE_RULESET = 444
ADD_RULE = 445
RESTRICT_SELF = 446
CREATE_RULESET_VERSION = 1
RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEVICE = 1 << 14, 1 << 15
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE
READ = EXECUTE | READ_FILE | READ_DIR
USED_DEVICE = READ_FILE | WRITE_FILE | IOCTL_DEVICE
#: Below this version files out of view could still be cut to nothing.
LEAST_VERSION = 3
SCOPE_VERSION = 6
SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3
TCP_VERSION = 4
BIND_AND_CONNECT = 3

#: Facts of the machine that libraries read at their start.
PROCESS_FILES = ("cpuinfo", "meminfo", "stat", "filesystems", "sys/vm", "sys/kernel")
DEVICES = ("null", "zero", "full", "random", "urandom")


def version() -> int:
    """Version of Landlock that this kernel allows; 0 for none."""
    return max(0, system.call(CREATE_RULESET, None, 0, CREATE_RULESET_VERSION))


def restrict(view: View) -> list[str]:
    """Restricts this process and all that it starts to the view. Gives the names of the walls; none when the
    kernel refuses.
    """
    known = version()
    if known < LEAST_VERSION or not privileges.gain_nothing():
        return []
    rights = (1 << (15 if known < 5 else 16)) - 1
    ruleset = _create(known, rights)
    if ruleset < 0:
        return []
    try:
        own = "/proc/%d" % os.getpid()
        readable = [*view.readable, own, *("/proc/" + name for name in PROCESS_FILES)]
        # NVIDIA's driver gives names to its threads, and starts nothing where it cannot.
        own_threads = [own + "/task"] if view.devices else []
        allowed = all(
            [
                *(_allow(ruleset, path, READ & rights) for path in readable),
                *(_allow(ruleset, "/dev/" + name, (READ_FILE | WRITE_FILE) & rights) for name in DEVICES),
                *(_allow(ruleset, path, USED_DEVICE & rights) for path in view.devices),
                *(_allow(ruleset, path, (READ | WRITE_FILE | TRUNCATE) & rights) for path in own_threads),
                _allow(ruleset, view.writable, rights),
            ]
        )
        if not allowed or system.call(RESTRICT_SELF, ruleset, 0) != 0:
            return []
    finally:
        os.close(ruleset)
    return ["process-table", "other-files", "devices", "read-only"]


def _create(known: int, rights: int) -> int:
    fields = [rights]
    if known >= TCP_VERSION:
        fields.append(BIND_AND_CONNECT)
    if known >= SCOPE_VERSION:
        fields.append(SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    attributes = (ctypes.c_uint64 * len(fields))(*fields)
    return system.call(CREATE_RULESET, attributes, ctypes.c_size_t(ctypes.sizeof(attributes)), 0)


def _allow(ruleset: int, path: str, rights: int) -> bool:
    """True when the rule holds, or when there is nothing at the path that it could allow."""
    try:
        descriptor = os.open(path, os.O_PATH)
    except OSError:
        return True
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= FILE_RIGHTS
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor), 12)
        return system.call(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule, 0) == 0
    finally:
        os.close(descriptor)
