"""Results that host code puts together of what several launches of a kernel wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .search import Attempt


def put_together(made: Attempt, without_launches: Callable[[], Attempt]) -> set[int]:
    """The places of results whose values are others where no kernel runs, of a call that launches the kernel several
    times: what its last launch wrote would be a part of them. `without_launches` makes the same call, in which
    none runs.
    """
    own = [index for index, (_, _, part, written) in enumerate(made.results) if part is None and not written]
    if made.times < 2 or not own:
        return set()
    digests = without_launches().digests
    if len(digests) != len(made.digests):
        return set()
    return {index for index in own if digests[index] != made.digests[index]}
