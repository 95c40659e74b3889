"""Whether a call changes what earlier ones have returned."""

from __future__ import annotations

import torch

#: Results of so many calls are held, as far as they have no more than so many bytes together.
_CALLS_HELD = 3
_BYTES_HELD = 128 * 1024 * 1024


class EarlierResults:
    """What the last calls returned, with a copy. It is held: memory that nobody holds may be given out again."""

    def __init__(self) -> None:
        self._held: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._calls: list[int] = []

    def pass_on(self, returned: list[torch.Tensor]) -> bool:
        """Whether this call, which returned such tensors, has changed what an earlier one returned."""
        now = [_bytes(tensor) for tensor, _ in self._held]
        kept = [torch.equal(own, copy) for own, (_, copy) in zip(now, self._held)]
        # A change is told once.
        self._held = [
            (tensor, copy if same else own.clone())
            for own, same, (tensor, copy) in zip(now, kept, self._held)
        ]
        self._hold(returned)
        return not all(kept)

    def _hold(self, returned: list[torch.Tensor]) -> None:
        self._held.extend((tensor, _bytes(tensor).clone()) for tensor in returned)
        self._calls.append(len(returned))
        while len(self._calls) > _CALLS_HELD or self._size() > _BYTES_HELD:
            del self._held[: self._calls.pop(0)]

    def _size(self) -> int:
        return sum(copy.numel() for _, copy in self._held)


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    """The elements of a tensor as bytes, in its own memory where it lies in one piece."""
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8)
