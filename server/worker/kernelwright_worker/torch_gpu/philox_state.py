"""The state of random numbers on the GPU that stands for the target: a seed and how many numbers were drawn."""

from __future__ import annotations

import torch


class PhiloxState:
    """Stands where torch has the generator of a device. The state stays what it is, whatever host code makes of it, so
    that a call that is made again draws the same numbers.
    """

    _SEED = 20_11
    device = torch.device("cuda", 0)

    def get_state(self) -> torch.Tensor:
        """Eight bytes of seed, and eight of what was drawn."""
        return torch.tensor([self._SEED, 0], dtype=torch.int64).view(torch.uint8)

    def set_state(self, _state: torch.Tensor) -> None:
        """Stays."""

    def initial_seed(self) -> int:
        return self._SEED

    def seed(self) -> int:
        return self._SEED

    def manual_seed(self, _seed: int) -> PhiloxState:
        return self

    def get_offset(self) -> int:
        return 0

    def set_offset(self, _offset: int) -> None:
        """Stays."""
