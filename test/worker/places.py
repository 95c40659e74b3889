"""Places in which a worker may find itself, made for real: `python places.py PLACE COMMAND ARGUMENTS`.

- `machine`: as this one is.
- `container`: as in a container without rights: no capability that Docker does not leave to root, and
  unshare, mount and the like refused by a filter on system calls. Landlock is there.
- `bare`: the same on a kernel that knows no Landlock: neither kind of wall can be had.
"""

import ctypes
import os
import platform
import struct
import sys

PLACES = ("machine", "container", "bare")
#: What Docker leaves to root: chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap,
#: net_bind_service, net_raw, sys_chroot, mknod, audit_write, setfcap.
KEPT = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
#: unshare, setns, mount, umount2, pivot_root, mount_setattr, move_mount, open_tree, fsopen, fsmount.
REFUSED = {
    "x86_64": (272, 308, 165, 166, 155, 442, 429, 428, 430, 432),
    "aarch64": (97, 268, 40, 39, 41, 442, 429, 428, 430, 432),
}
LANDLOCK = (444, 445, 446)
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE, EPERM, ENOSYS = 0x7FFF0000, 0x00050000, 1, 38


def enter(place):
    """Makes this process live in the place from here on."""
    if place == "machine":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(41):
        if capability not in KEPT:
            libc.prctl(24, capability, 0, 0, 0)
    kept = sum(1 << capability for capability in KEPT)
    if os.getuid() == 0:
        words = (kept & 0xFFFFFFFF, kept & 0xFFFFFFFF, 0, kept >> 32, kept >> 32, 0)
        assert libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*words)) == 0
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    refused = [(number, EPERM) for number in REFUSED[platform.machine()]]
    if place == "bare":
        refused += [(number, ENOSYS) for number in LANDLOCK]
    steps = [struct.pack("=HBBI", LOAD, 0, 0, 0)]
    for number, error in refused:
        steps.append(struct.pack("=HBBI", JUMP_EQUAL, 0, 1, number))
        steps.append(struct.pack("=HBBI", RETURN, 0, 0, REFUSE | error))
    program = b"".join([*steps, struct.pack("=HBBI", RETURN, 0, 0, ALLOW)])
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("=HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    assert libc.prctl(22, 2, header, 0, 0) == 0
    assert libc.unshare(0x10000000) != 0


if __name__ == "__main__":
    enter(sys.argv[1])
    os.execvp(sys.argv[2], sys.argv[2:])
