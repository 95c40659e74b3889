"""The first numbers that sizes get."""

from __future__ import annotations

import re

#: Values of sizes that are told apart in the results of a run, by the position of the dimension from the end.
_SMALL = [64, 32, 16, 8, 128, 256, 4, 48]
#: Beside sizes called so, n is how many pictures there are.
_PLANE = {"h", "w"}


def small_sizes(names: list[str]) -> dict[str, int]:
    """A different small power of two for each size; what is called batch or heads is smaller still."""
    values: dict[str, int] = {}
    free = list(_SMALL)
    for name in names:
        wanted = 2 if re.match(r"(b|bs|bsz|batch\w*)$", name, re.I) else None
        if name.lower() == "n" and _PLANE <= {each.lower() for each in names}:
            wanted = 2
        wanted = 4 if re.match(r"(h|n_?heads?|num_heads|heads|g|groups)$", name, re.I) else wanted
        if wanted in values.values() or wanted is None:
            wanted = next((each for each in free if each not in values.values()), 64)
        values[name] = wanted
    return values
