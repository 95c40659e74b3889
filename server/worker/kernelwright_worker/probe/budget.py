"""How much a search for a call may use."""

from __future__ import annotations

import time


class Budget:
    """Processor time of this process, and warp-level instructions of the virtual GPU. The clock on the wall is
    not asked, so that a busy machine finds the call that an idle one finds.
    """

    def __init__(self, seconds: float, instructions: int) -> None:
        self._until = time.process_time() + seconds
        self._instructions = instructions

    def charge(self, instructions: int) -> None:
        """Takes off what a run on the virtual GPU has cost."""
        self._instructions -= instructions

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is to be tried."""
        return self._instructions <= 0 or time.process_time() > self._until
