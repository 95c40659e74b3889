"""All walls together. What cannot be had is left out of the list that is reported; whether the rest is enough
is decided by the side that holds the code (server/host/worker/transport/walls.ts).
"""

from __future__ import annotations

from collections.abc import Callable

from . import landlock, limits, lifetime, mounts, namespaces, privileges, system, system_calls
from .limits import Limits
from .view import View


def enclose(
    view: View, bounds: Limits, descriptor: int = -1, clean_up: Callable[[], None] = lambda: None
) -> list[str]:
    """Puts this process behind walls for the rest of its life; must be called while there is one thread. On
    Linux the caller goes on in a child: the parent waits for its end, or brings it about when the other side
    of `descriptor` is gone, and calls `clean_up`. Gives the names of the walls and limits that hold.
    """
    if system.libc() is None:
        return limits.hold(bounds, False)
    separation = namespaces.separate()
    namespaces.continue_in_child(descriptor, clean_up)
    privileges.be_first_to_go()
    disk = mounts.build(view) if separation.walls else []
    own_disk = disk != []
    disk = disk or landlock.restrict(view)
    stranger = privileges.become_stranger(view.writable)
    held = [*separation.walls, *disk, *limits.hold(bounds, stranger or separation.own_user)]
    if privileges.drop_capabilities():
        held.append("capabilities")
    # A change of user makes a process's own entries in /proc root's.
    lifetime.allow_inspection()
    own = separation.walls != []
    held += system_calls.install(system_calls.Walls(own, own, own_disk, gpu=view.devices != []))
    lifetime.end_with_parent()
    return held
