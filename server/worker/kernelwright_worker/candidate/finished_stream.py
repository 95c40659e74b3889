"""What a stream of the virtual GPU does: nothing, since work is complete when the call that starts it returns."""

from __future__ import annotations

import torch


class FinishedStream:
    """There is one stream, whatever a program calls it."""

    #: The default stream's, as kernels and extensions are given it.
    cuda_stream = 0

    def __init__(self, *_: object, **__: object) -> None:
        """Neither device nor priority makes a difference."""

    def synchronize(self) -> None:
        """There is nothing to wait for."""

    def wait_stream(self, _: object) -> None:
        """As synchronize."""

    def wait_event(self, _: object) -> None:
        """As synchronize."""

    def record_event(self, event: torch.cuda.Event | None = None) -> torch.cuda.Event:
        event = torch.cuda.Event() if event is None else event
        event.record(self)
        return event

    def query(self) -> bool:
        return True

    def __enter__(self) -> FinishedStream:
        return self

    def __exit__(self, *_: object) -> None:
        return None
