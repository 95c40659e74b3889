"""The state of random numbers on the GPU that stands for the target: a seed and how many numbers were drawn."""

from __future__ import annotations

import torch


class PhiloxState:
    """Stands where torch has the generator of a device. The state stays what it is, whatever host code makes of it, so
    that a call that is made again draws the same numbers. What host code has made of it is kept beside.
    """

    #: Seed and how many numbers were drawn, of every run.
    BEGINNING = (20_11, 0)
    device = torch.device("cuda", 0)

    def __init__(self) -> None:
        #: Seed and drawn numbers as host code has left them.
        self.left = self.BEGINNING

    def begin(self) -> None:
        """Host code has made nothing of it yet."""
        self.left = self.BEGINNING

    def get_state(self) -> torch.Tensor:
        """Eight bytes of seed, and eight of what was drawn."""
        return torch.tensor(list(self.BEGINNING), dtype=torch.int64).view(torch.uint8)

    def set_state(self, state: torch.Tensor) -> None:
        """Stays; what is set is kept beside."""
        seed, drawn = state.contiguous().view(torch.int64)[:2].tolist()
        self.left = (seed, drawn)

    def initial_seed(self) -> int:
        return self.BEGINNING[0]

    def seed(self) -> int:
        """A program that asks for a seed by chance gets this one."""
        self.left = (-1, 0)
        return self.BEGINNING[0]

    def manual_seed(self, seed: int) -> PhiloxState:
        self.left = (int(seed), 0)
        return self

    def get_offset(self) -> int:
        return self.BEGINNING[1]

    def set_offset(self, offset: int) -> None:
        """Stays; what is set is kept beside."""
        self.left = (self.left[0], int(offset))
