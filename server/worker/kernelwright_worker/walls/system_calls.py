"""A filter on system calls (seccomp), built here as a program of the kernel's packet filter: what no kernel's
host code and no compiler needs, and what has opened walls before, is refused.
"""

from __future__ import annotations

import ctypes
import os
import struct

from . import privileges, system

SECCOMP_MODE_FILTER = 2
LOAD, JUMP_EQUAL, JUMP_SET, RETURN, AND = 0x20, 0x15, 0x45, 0x06, 0x54
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
AF_UNIX = 1
SOCK_SEQPACKET = 5
#: The low bits of a socket's kind; above them stand flags.
SOCKET_KIND = 0xF
#: clone(2) with any of these makes a namespace: mounts, control groups, host name, messages, user, processes,
#: network.
NEW_NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
PUT_INTO_TERMINAL = 0x5412

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
#: Numbers on x86_64 and on aarch64; those from 424 on are the same everywhere.
REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262),
    "mknodat": (259, 33),
    "mknod": (133, -1),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "personality": (135, 92),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "vhangup": (153, 58),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
#: Of a file out of view the contents are safe behind Landlock; these change what it does not guard.
REFUSED_ON_A_SHARED_DISK = {
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, -1),
    "fchown": (93, 55),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "inotify_add_watch": (254, 27),
}
SOCKET, IOCTL, CLONE, CLONE3 = (41, 198), (16, 29), (56, 220), (435, 435)
CONNECT = (42, 203)
KILL_CALL, TGKILL, TKILL = (62, 129), (234, 131), (200, 130)
QUEUE_SIGNALS = ((129, 138), (297, 240))


class Walls:
    """What other walls there are already: without a network of its own a process gets no sockets, without a
    process table of its own it may signal itself alone, and on the disk of everybody it may change no modes.
    `gpu`: NVIDIA's driver runs in it, which starts nothing where it gets no socket of its own.
    """

    def __init__(self, own_network: bool, own_processes: bool, own_disk: bool, gpu: bool) -> None:
        self.own_network = own_network
        self.own_processes = own_processes
        self.own_disk = own_disk
        self.gpu = gpu


def install(walls: Walls) -> list[str]:
    """Installs the filter for this process and all that it starts. Gives the names of the walls that the
    filter itself is; none on machines that it has no numbers for.
    """
    machine = os.uname().machine
    column = list(ARCHITECTURES).index(machine) if machine in ARCHITECTURES else -1
    if column < 0 or not privileges.gain_nothing():
        return []
    program = _program(column, walls)
    buffer = ctypes.create_string_buffer(program, len(program))

    class Header(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    header = Header(len(program) // 8, ctypes.addressof(buffer))
    if not system.control(system.PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(header)):
        return []
    found = ["system-calls"]
    found += [] if walls.own_network else ["network"]
    found += [] if walls.own_processes else ["processes"]
    return found


def _program(column: int, walls: Walls) -> bytes:
    """The filter as the kernel takes it. Each rule ends with an answer for its call, so that the number of
    the call is still loaded when the next one begins.
    """
    architecture = list(ARCHITECTURES.values())[column]
    steps = [
        _step(LOAD, 0, 0, ARCHITECTURE),
        _step(JUMP_EQUAL, 1, 0, architecture),
        # Calls of another architecture (32 bits) have other numbers: none is known here.
        _step(RETURN, 0, 0, REFUSE | ENOSYS),
        _step(LOAD, 0, 0, NUMBER),
        # On x86_64 this bit marks calls of yet another kind.
        _step(JUMP_SET, 0, 1, 0x40000000),
        _step(RETURN, 0, 0, REFUSE | ENOSYS),
    ]
    refused = {**REFUSED, **({} if walls.own_disk else REFUSED_ON_A_SHARED_DISK)}
    for numbers in refused.values():
        steps += _refuse(numbers[column], EPERM)
    # The C library falls back to clone, whose flags can be seen here.
    steps += _refuse(CLONE3[column], ENOSYS)
    steps += _unless(CLONE[column], 0, _step(JUMP_SET, 0, 1, NEW_NAMESPACES), EPERM)
    steps += _unless(IOCTL[column], 1, _step(JUMP_EQUAL, 0, 1, PUT_INTO_TERMINAL), EPERM)
    if walls.own_network and walls.own_disk:
        steps += _unless(SOCKET[column], 0, _step(JUMP_EQUAL, 1, 0, AF_UNIX), EAFNOSUPPORT)
    elif walls.gpu:
        steps += _sockets_of_a_driver(SOCKET[column])
        steps += _refuse(CONNECT[column], EPERM)
    else:
        steps += _refuse(SOCKET[column], EAFNOSUPPORT)
    if not walls.own_processes:
        own = _step(JUMP_EQUAL, 1, 0, os.getpid())
        for call in (KILL_CALL, TGKILL):
            steps += _unless(call[column], 0, own, EPERM)
        for call in (TKILL, *QUEUE_SIGNALS):
            steps += _refuse(call[column], EPERM)
    return b"".join([*steps, _step(RETURN, 0, 0, ALLOW)])


def _step(code: int, when_true: int, when_false: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, when_true, when_false, value)


def _refuse(number: int, error: int) -> list[bytes]:
    if number < 0:
        return []
    return [_step(JUMP_EQUAL, 0, 1, number), _step(RETURN, 0, 0, REFUSE | error)]


def _sockets_of_a_driver(number: int) -> list[bytes]:
    """Allows sockets that nothing can be sent over before they are connected, and no others."""
    return [
        _step(JUMP_EQUAL, 0, 7, number),
        _step(LOAD, 0, 0, FIRST_ARGUMENT),
        _step(JUMP_EQUAL, 0, 3, AF_UNIX),
        _step(LOAD, 0, 0, FIRST_ARGUMENT + 8),
        _step(AND, 0, 0, SOCKET_KIND),
        _step(JUMP_EQUAL, 1, 0, SOCK_SEQPACKET),
        _step(RETURN, 0, 0, REFUSE | EAFNOSUPPORT),
        _step(RETURN, 0, 0, ALLOW),
    ]


def _unless(number: int, argument: int, test: bytes, error: int) -> list[bytes]:
    """Refuses the call when `test` on the low half of an argument goes on to the next step."""
    return [
        _step(JUMP_EQUAL, 0, 4, number),
        _step(LOAD, 0, 0, FIRST_ARGUMENT + 8 * argument),
        test,
        _step(RETURN, 0, 0, REFUSE | error),
        _step(RETURN, 0, 0, ALLOW),
    ]
