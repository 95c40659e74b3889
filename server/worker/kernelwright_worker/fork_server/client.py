"""The process that is started for a candidate process: it gives its streams to a fork of the server, and ends
as the fork does.
"""

from __future__ import annotations

import array
import os
import socket

from ..walls import lifetime

#: Exit status where the server is gone.
NO_SERVER = 4


def hand_over(path: str) -> int:
    """Gives the standard streams to a fork of the server that listens at `path`; gives the fork's exit status.
    The server ends the fork when this process is gone.
    """
    lifetime.end_with_parent()
    streams = array.array("i", [0, 1, 2])
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(path)
            connection.sendmsg([b"s"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
            # From here on the fork alone holds them, so that they end with it.
            for stream in streams:
                os.close(stream)
            status = connection.recv(1)
        except OSError:
            return NO_SERVER
    return status[0] if status else NO_SERVER
