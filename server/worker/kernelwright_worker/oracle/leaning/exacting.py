"""Inputs for sums that have to be more exact than single precision, since the spec requires it: large numbers
that cancel later in the row, which take the others' last bits with them, and long rows of one number, whose
roundings all go to one side.
"""

from __future__ import annotations

import numpy

CANCELLING, LIKE = "cancelling", "like"
EXACTING = (CANCELLING, LIKE)

#: The least of the numbers that cancel: a single of that size is a multiple of 16.
_LARGE = 2.0**27

#: How far apart they stand: neighbours, or what one lane of a warp or one thread of a block meets in turn.
_APART = (1, 32, 64, 128)

#: How far sums of like numbers may be off, in roundings: a sum that takes its error is off by one or two, and
#: the parts of some threads may be added up without that.
CLOSE = 32.0


def make_exacting(
    generator: numpy.random.Generator,
    values: dict[str, numpy.ndarray],
    dtypes: dict[str, str],
    distributions: dict[str, str | dict],
    variant: str,
) -> None:
    """Changes the inputs of single precision that promise nothing of their values: every second row gets two
    numbers that cancel, or each row becomes one number again and again.
    """
    for name, own in values.items():
        is_open = dtypes[name] == "float32" and distributions[name] in ("normal", "uniform")
        if not is_open or own.size < 2 or own.shape[-1] < 2:
            continue
        rows = own.copy().reshape(-1, own.shape[-1])
        if variant == LIKE:
            rows[:] = generator.uniform(0.0625, 1.0, (len(rows), 1))
        else:
            _cancel(generator, rows[::2])
        values[name] = rows.reshape(own.shape)


def _cancel(generator: numpy.random.Generator, rows: numpy.ndarray) -> None:
    count, length = rows.shape
    fitting = [apart for apart in _APART if 2 * apart <= length]
    apart = generator.choice(fitting, count)
    first = generator.integers(0, length - apart)
    # Both are the same once they are singles.
    large = generator.uniform(_LARGE, 2 * _LARGE, count).astype("f4")
    every = numpy.arange(count)
    rows[every, first], rows[every, first + apart] = large, -large
