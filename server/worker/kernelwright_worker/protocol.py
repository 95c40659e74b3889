# Made of worker-protocol.json by `npm run protocols`: change it there.
# fmt: off
"""Version, limits, roles, methods and error codes of the worker protocol."""

from __future__ import annotations

PROTOCOL = 1
HEADER_LIMIT = 16777216
FRAME_LIMIT = 2147483648
ROLES = ("build", "oracle", "candidate", "gpu",)
#: Methods of each role.
METHODS = {
    "build": ("compile-cuda", "compile-host", "assemble-ptx", "read-setup-file", "examine",),
    "oracle": ("open", "make", "pool", "draw", "move", "steady", "loosen", "select", "nudge", "bound", "vary", "expect", "judge", "trivial", "forget",),
    "candidate": ("load", "probe", "run",),
    "gpu": ("ask-driver", "devices", "find-python", "claim", "holder", "release", "put-program", "remove-program",),
}
#: The codes that an error may have.
ERROR_CODES = (
    "cancelled",
    "file-not-found",
    "path-outside-workspace",
    "spec-invalid",
    "kernel-not-found",
    "tool-missing",
    "tool-failed",
    "worker-timeout",
    "worker-protocol",
    "walls-missing",
)
