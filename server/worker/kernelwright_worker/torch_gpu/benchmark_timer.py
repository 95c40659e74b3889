"""torch.utils.benchmark where a repetition takes long: it would measure this computer again and again, not a
GPU.
"""

from __future__ import annotations

import types
from collections.abc import Callable

from .importing import change_when_imported

_MODULE = "torch.utils.benchmark.utils.timer"
#: As many repetitions are run in any case, and all of them where that takes no more than these seconds.
_FEWEST = 3
_SHORT = 1.0


def install(say_once: Callable[[str], None]) -> None:
    """`say_once`: receives a line for the user."""
    change_when_imported(_MODULE, lambda module: _shorten(module, say_once))


def _shorten(module: types.ModuleType, say_once: Callable[[str], None]) -> None:
    measure = module.Timer._timeit

    def timeit(timer: object, number: int) -> float:
        """Seconds of `number` repetitions; what was not run counts as what was."""
        tried = min(number, _FEWEST)
        first = measure(timer, tried)
        left = number - tried
        if left == 0:
            return first
        if first / tried * left <= _SHORT:
            return first + measure(timer, left)
        say_once(
            "torch.utils.benchmark times this computer, not a GPU: of long statements %d repetitions are run, "
            "and the others count as these" % _FEWEST
        )
        return first / tried * number

    module.Timer._timeit = timeit
