"""Starts one program behind walls: `python -I -S FOLDER walled ARGUMENTS -- COMMAND`, where ARGUMENTS are
its current and only writable folder, what it may read (a path a line), names of walls without which it is not
started (with `,` between them), its limits: seconds of processor time, bytes of memory, bytes of a file; and
further devices that it may use, with `,` between them.
Kept small: each start of a compiler waits for it.
"""

from __future__ import annotations

import os
import socket
import sys

from .enclosure import enclose
from .limits import Limits
from .view import View

#: Exit status that, with `MARK` at the start of standard error, says that walls are missing.
MISSING_STATUS = 97
MARK = "kernelwright: missing walls: "
CANNOT_RUN_STATUS = 127
#: Names the socket of a virtual GPU. The connection is made before the walls close; the program inherits it,
#: as `fd:NUMBER`, and nothing else of the environment but what the dynamic linker needs.
DEVICE = "KERNELWRIGHT_DEVICE"


def command_line(view: View, bounds: Limits, required: tuple[str, ...], command: list[str]) -> list[str]:
    """Arguments of an interpreter that starts the command behind walls."""
    worker = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
    numbers = [bounds.processor_seconds, bounds.memory_bytes, bounds.file_bytes]
    order = [
        view.writable,
        "\n".join(view.readable),
        ",".join(required),
        *(str(each) for each in numbers),
        "",
    ]
    # Kept by the user's own cache, the launcher's bytecode halves the time until the program starts.
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    kept = "pycache_prefix=" + os.path.join(cache, "kernelwright", "bytecode")
    return [sys.executable, "-I", "-S", "-X", kept, worker, "walled", *order, "--", *command]


def launch(arguments: list[str]) -> int:
    """Becomes the program; returns only when it cannot be started."""
    folder, readable, required, seconds, memory, file_size, devices, _, *command = arguments
    device = _connect(os.environ[DEVICE]) if DEVICE in os.environ else -1
    bounds = Limits(int(seconds), int(memory), int(file_size))
    further = [path for path in devices.split(",") if path]
    held = enclose(View(readable.splitlines(), folder, devices=further), bounds, device)
    missing = [name for name in required.split(",") if name and name not in held]
    if missing:
        sys.stderr.write(MARK + ", ".join(missing) + "\n")
        return MISSING_STATUS
    try:
        os.chdir(folder)
        if device < 0:
            os.execv(command[0], command)
        os.execve(command[0], command, _environment(folder, device))
    except OSError as error:
        sys.stderr.write("%s could not be started behind walls: %s\n" % (command[0], error.strerror))
    return CANNOT_RUN_STATUS


def _connect(path: str) -> int:
    """A connection that the program will inherit."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(path)
    os.set_inheritable(connection.fileno(), True)
    return connection.detach()


def _environment(folder: str, device: int) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    return {**kept, "HOME": folder, "TMPDIR": folder, "LC_ALL": "C", DEVICE: "fd:%d" % device}
