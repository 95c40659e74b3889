"""What a candidate finds on disk: everything that its interpreter needs, read-only; a small folder of its own
in memory that it may write; and neither home nor temporary folders nor sockets nor devices of anybody
else. Needs a mount namespace of its own (`guard.isolate`).
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
import tempfile

PRIVATE_BYTES = 1024**3
SHARED_BYTES = 64 * 1024**2
#: Where other people's and other programs' things lie: homes, temporary files, sockets.
ELSEWHERE = ("/root", "/home", "/tmp", "/var/tmp", "/run", "/var/lib", "/srv", "/media")
DEVICES = ("null", "zero", "full", "random", "urandom")

CLONE_NEWNS = 0x00020000
MS_NOSUID_NODEV = 2 | 4
MS_BIND_REC = 0x1000 | 0x4000
MNT_DETACH = 2
MOUNT_SETATTR = 442
AT_FDCWD = -100
AT_RECURSIVE = 0x8000
READ_ONLY_NO_SUID = 1 | 2
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
CAPABILITY_VERSION = 0x20080522
CAP_DAC_OVERRIDE = 1


def build(private):
    """Builds the walls around a process whose own folder is `private` (it starts empty). Gives the names of
    those that hold.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    # The supervisor keeps the mounts that it has: it cleans up when we are gone.
    if not os.path.isdir("/proc/self/fd") or libc.unshare(CLONE_NEWNS) != 0:
        return []
    walls = []
    _be_first_to_go()
    needed = _needed()
    if _hide(libc, needed, private):
        walls.append("other-files")
    devices = _own_devices(libc)
    if devices:
        walls.append("devices")
    if _read_only(libc) and _in_memory(libc, private, PRIVATE_BYTES, 0o700):
        walls.append("read-only")
        if devices:
            _in_memory(libc, "/dev/shm", SHARED_BYTES, 0o1777)
    if _drop_capabilities(libc):
        walls.append("capabilities")
    return walls


def _be_first_to_go():
    """When the machine runs out of memory, the candidate is what the system ends."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        # The system decides by itself then, and mostly alike: the largest process goes.
        return


def _needed():
    """Folders that the interpreter, its packages and the worker are read from, as they are named and as they
    resolve.
    """
    worker = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    named = [
        worker,
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        os.path.dirname(sys.executable),
        *sys.path,
        *os.environ.get("LD_LIBRARY_PATH", "").split(":"),
    ]
    present = [os.path.abspath(path) for path in named if path and os.path.isdir(path)]
    found = {*present, *(os.path.realpath(path) for path in present)}
    # A current folder or a root that happens to be on the path is no package folder.
    return sorted(
        path for path in found if path not in ("/", *ELSEWHERE, os.path.realpath(tempfile.gettempdir()))
    )


def _hide(libc, needed, private):
    """Puts an empty folder over each place of ELSEWHERE; what is needed of it is shown again. False when one
    could not be hidden.
    """
    places = {
        os.path.realpath(path)
        for path in (*ELSEWHERE, os.path.expanduser("~"), tempfile.gettempdir(), os.path.dirname(private))
        if os.path.isdir(path)
    }
    outermost = [
        place
        for place in sorted(places)
        if place != "/" and not any(_below(place, other) for other in places if other != place)
    ]
    done = True
    for place in outermost:
        if any(_below(place, path) for path in needed):
            # The interpreter lies in a folder around this place.
            done = False
            continue
        done = _cover(libc, place, [path for path in needed if _below(path, place)], private) and done
    return done


def _cover(libc, place, shown, private):
    opened = [
        (path, os.open(path, os.O_PATH | os.O_DIRECTORY))
        for path in shown
        if not any(_below(path, other) for other in shown if other != path)
    ]
    try:
        if (
            libc.mount(
                b"tmpfs", place.encode(), b"tmpfs", ctypes.c_ulong(MS_NOSUID_NODEV), b"size=1m,mode=755"
            )
            != 0
        ):
            return False
        for path, descriptor in opened:
            os.makedirs(path, exist_ok=True)
            if (
                libc.mount(
                    b"/proc/self/fd/%d" % descriptor, path.encode(), None, ctypes.c_ulong(MS_BIND_REC), None
                )
                != 0
            ):
                # Without it nothing would run: rather a wall less.
                libc.umount2(place.encode(), MNT_DETACH)
                return False
        if _below(private, place):
            os.makedirs(private, mode=0o700, exist_ok=True)
        return True
    finally:
        for _, descriptor in opened:
            os.close(descriptor)


def _own_devices(libc):
    opened = [
        (name, os.open("/dev/" + name, os.O_PATH)) for name in DEVICES if os.path.exists("/dev/" + name)
    ]
    try:
        if libc.mount(b"tmpfs", b"/dev", b"tmpfs", ctypes.c_ulong(2), b"size=64k,mode=755") != 0:
            return False
        for name, descriptor in opened:
            with open("/dev/" + name, "w"):
                pass
            if (
                libc.mount(
                    b"/proc/self/fd/%d" % descriptor,
                    b"/dev/" + name.encode(),
                    None,
                    ctypes.c_ulong(MS_BIND_REC),
                    None,
                )
                != 0
            ):
                libc.umount2(b"/dev", MNT_DETACH)
                return False
        os.mkdir("/dev/shm")
        os.symlink("/proc/self/fd", "/dev/fd")
        return stat.S_ISCHR(os.stat("/dev/null").st_mode)
    finally:
        for _, descriptor in opened:
            os.close(descriptor)


def _read_only(libc):
    """Every mount that there is, at once (Linux 5.12 and later)."""
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY_NO_SUID, 0, 0, 0)
    return (
        libc.syscall(
            MOUNT_SETATTR,
            AT_FDCWD,
            b"/",
            AT_RECURSIVE,
            attributes,
            ctypes.c_size_t(ctypes.sizeof(attributes)),
        )
        == 0
    )


def _in_memory(libc, folder, limit, mode):
    return (
        libc.mount(
            b"tmpfs",
            folder.encode(),
            b"tmpfs",
            ctypes.c_ulong(MS_NOSUID_NODEV),
            b"size=%d,mode=%o" % (limit, mode),
        )
        == 0
    )


def _drop_capabilities(libc):
    """Gives up every right of root for good, so that no wall can be taken down. One is kept, to read files of
    the user for whom root runs: nothing that it would open can be written.
    """
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for capability in range(64):
        if capability != CAP_DAC_OVERRIDE:
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    kept = 1 << CAP_DAC_OVERRIDE
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    data = (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)
    dropped = libc.capset(header, data) == 0
    return libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 and dropped


def _below(path, folder):
    """True for the folder itself and for everything in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
