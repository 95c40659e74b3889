"""A view of the disk of its own: a new root in memory into which nothing but the view is bound, read-only.
Needs a mount namespace and a process table of its own (namespaces.py).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from . import system
from .view import View

DEVICES = ("null", "zero", "full", "random", "urandom")
SHARED_BYTES = 64 * 1024**2

MS_RDONLY = 1
MS_NOSUID_NODEV = 2 | 4
MS_MOVE = 0x2000
MS_BIND = 0x1000
MS_BIND_REC = MS_BIND | 0x4000
MS_REC_PRIVATE = 0x4000 | 0x40000
MNT_DETACH = 2
MOUNT_SETATTR = 442
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
AT_FDCWD = -100
AT_RECURSIVE = 0x8000
MOUNT_ATTR_RDONLY = 1
MOUNT_ATTR_NOSUID = 2


class _Refused(Exception):
    """The system refused a mount."""


def build(view: View) -> list[str]:
    """Makes the view the whole disk of this process. Gives the names of the walls; none, and the disk as it
    was, when the system refuses.
    """
    library = system.libc()
    if library is None or library.unshare(system.CLONE_NEWNS) != 0:
        return []
    root = view.writable
    opened = {}
    try:
        _mount("none", "/", None, MS_REC_PRIVATE)
        opened = {path: os.open(path, os.O_PATH) for path in (*view.readable, view.writable)}
        further = [path.removeprefix("/dev/") for path in view.devices]
        devices = {name: os.open("/dev/" + name, os.O_PATH) for name in (*DEVICES, *further)}
        _mount("tmpfs", root, "tmpfs", MS_NOSUID_NODEV, "size=4m,mode=755")
    except (OSError, _Refused):
        _close(opened.values())
        return []
    try:
        _fill(root, view, opened)
        _mount("proc", root + "/proc", "proc", 0)
        _own_devices(root, devices)
        own_threads = root + "/proc/%d/task" % os.getpid()
        if view.devices:
            _mount(own_threads, own_threads, None, MS_BIND)
        _read_only(root)
        if view.devices:
            # NVIDIA's driver gives names to its threads, and starts nothing where it cannot.
            _change(own_threads, 0, cleared=MOUNT_ATTR_RDONLY)
        _writable(root, view, opened[view.writable])
        _enter(root)
    except (OSError, _Refused):
        # The old root is still there: without the new one everything is as it was.
        library.umount2(root.encode(), MNT_DETACH)
        return []
    finally:
        _close([*opened.values(), *devices.values()])
    return ["process-table", "other-files", "devices", "read-only"]


def _mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    library = system.libc()
    assert library is not None
    done = library.mount(
        source.encode(),
        target.encode(),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        options.encode() if options else None,
    )
    if done != 0:
        raise _Refused("%s on %s: %s" % (source, target, os.strerror(ctypes.get_errno())))


def _bind(descriptor: int, target: str, flags: int = MS_BIND_REC) -> None:
    _mount("/proc/self/fd/%d" % descriptor, target, None, flags)


def _fill(root: str, view: View, opened: dict[str, int]) -> None:
    """Binds what may be read, each outermost path once; a path that was a link is one here."""
    there: list[str] = []
    for is_link in (False, True):
        for path in view.readable:
            real = os.path.realpath(path)
            # Nothing is ever made in a folder that is bound already: it is the machine's own.
            if (real != path) != is_link or any(system.is_below(path, other) for other in there):
                continue
            there.append(path)
            target = root + path
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if is_link:
                os.symlink(real, target)
                continue
            if os.path.isdir(path):
                os.mkdir(target)
            else:
                _touch(target)
            _bind(opened[path], target)
    for folder in ("/proc", "/dev", "/tmp", "/etc", view.writable):
        os.makedirs(root + folder, exist_ok=True)


def _touch(path: str) -> None:
    with open(path, "w"):
        pass


def _own_devices(root: str, devices: dict[str, int]) -> None:
    _mount("tmpfs", root + "/dev", "tmpfs", 2, "size=64k,mode=755")
    for name, descriptor in devices.items():
        _touch(root + "/dev/" + name)
        _bind(descriptor, root + "/dev/" + name)
    os.mkdir(root + "/dev/shm")
    os.symlink("/proc/self/fd", root + "/dev/fd")


def _read_only(root: str) -> None:
    """Every mount below the root, at once."""
    _change(root, AT_RECURSIVE, wanted=MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID)


def _change(path: str, flags: int, wanted: int = 0, cleared: int = 0) -> None:
    """Sets and clears attributes of a mount (mount_setattr(2), Linux 5.12 and later)."""
    attributes = (ctypes.c_uint64 * 4)(wanted, cleared, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    if system.call(MOUNT_SETATTR, AT_FDCWD, path.encode(), flags, attributes, size) != 0:
        raise _Refused("mount_setattr on %s" % path)


def _writable(root: str, view: View, descriptor: int) -> None:
    target = root + view.writable
    if view.memory_bytes > 0:
        _mount("tmpfs", target, "tmpfs", MS_NOSUID_NODEV, "size=%d,mode=700" % view.memory_bytes)
        _mount("tmpfs", root + "/dev/shm", "tmpfs", MS_NOSUID_NODEV, "size=%d,mode=1777" % SHARED_BYTES)
    else:
        # Alone: on this folder lies the new root.
        _bind(descriptor, target, MS_BIND)


def _enter(root: str) -> None:
    """Changes to the new root and lets go of the old one."""
    library = system.libc()
    assert library is not None
    os.chdir(root)
    number = PIVOT_ROOT.get(os.uname().machine, -1)
    if number >= 0 and system.call(number, b".", b".") == 0:
        if library.umount2(b".", MNT_DETACH) != 0:
            raise _Refused("umount of the old root")
    else:
        # The first root of a machine that was started from memory cannot be exchanged; it can be covered.
        _mount(".", "/", None, MS_MOVE)
        os.chroot(".")
    os.chdir("/")


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
