"""Results whose order is that in which threads come, as those of a list that is filled through a counter. Which
elements may change places is found with two runs of the original alone, with its blocks in two orders: no
candidate has a part in it.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Sequence

import numpy

#: How many numbers that lie side by side in a flat output may belong together.
WIDTHS = (8, 6, 4, 3, 2)


@dataclasses.dataclass(frozen=True)
class Unordered:
    """Outputs whose rows may change places, all of them together."""

    names: tuple[str, ...]
    #: How many elements of each output are one row.
    widths: tuple[int, ...]
    #: For each row the number of the rows that it may change places with.
    parts: numpy.ndarray

    def arranged(self, values: dict[str, numpy.ndarray]) -> dict[str, numpy.ndarray]:
        """The outputs with the rows of each part in ascending order."""
        rows = [values[name].reshape(self.parts.size, width) for name, width in zip(self.names, self.widths)]
        order = numpy.lexsort((*reversed(_keys(rows)), self.parts))
        return {name: own[order].reshape(values[name].shape) for name, own in zip(self.names, rows)}


def unordered(
    first: dict[str, numpy.ndarray], second: dict[str, numpy.ndarray], sizes: Sequence[int]
) -> Unordered | None:
    """How two runs of one kernel on the same inputs differ, if it is in the order of rows alone: `first` and
    `second` are the outputs in which they differ. None where that does not explain all of it, so that only
    the places that the outputs had say what is right. `sizes`: numbers by which an output may be laid out.
    """
    names = tuple(first)
    counts = {first[name].shape[0] if first[name].ndim else 0 for name in names}
    if len(counts) != 1 or 0 in counts:
        return None
    (count,) = counts
    # What asks most of a version comes first.
    if any(first[name].ndim > 1 for name in names):
        return _by_rows(first, second, count) or _by_lanes(first, second, sizes)
    wide = (_by_rows(first, second, count // width) for width in WIDTHS if count % width == 0)
    found = next((each for each in wide if each is not None), None)
    return found or _by_lanes(first, second, sizes) or _by_rows(first, second, count)


def _by_rows(
    first: dict[str, numpy.ndarray], second: dict[str, numpy.ndarray], rows: int
) -> Unordered | None:
    """The same of so many rows that are alike in all outputs."""
    parts = _parts(*_numbered(first, second, rows))
    if parts is None:
        return None
    return Unordered(tuple(first), tuple(each.size // rows for each in first.values()), parts)


def _by_lanes(
    first: dict[str, numpy.ndarray], second: dict[str, numpy.ndarray], sizes: Sequence[int]
) -> Unordered | None:
    """The same of lists that lie between each other: element k of list i stands at k * n + i."""
    (name, *others) = first
    values = first[name]
    trailing = values.size // values.shape[0]
    for lanes in sorted({*sizes, trailing}, reverse=True):
        if others or lanes < 2 or values.size % lanes != 0 or lanes == values.size:
            continue
        turned = [each[name].reshape(-1, lanes).T.reshape(-1) for each in (first, second)]
        parts = _parts(*_numbered({name: turned[0]}, {name: turned[1]}, values.size))
        ends = numpy.arange(lanes) * (values.size // lanes)
        # Each list has to be one of its own: no part goes on into the next.
        if parts is None or (parts[ends[1:]] == parts[ends[1:] - 1]).any():
            continue
        return Unordered((name,), (1,), parts.reshape(lanes, -1).T.reshape(-1))
    return None


def _numbered(
    first: dict[str, numpy.ndarray], second: dict[str, numpy.ndarray], rows: int
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Equal rows of all outputs together as equal numbers, in both runs."""
    numbers = numpy.zeros(2 * rows, "i8")
    for name in first:
        both = numpy.concatenate([each[name].reshape(rows, -1) for each in (first, second)])
        for column in both.T:
            _, own = numpy.unique(_bits(column), return_inverse=True)
            _, numbers = numpy.unique(numbers * (own.max() + 1) + own, return_inverse=True)
    return numbers[:rows], numbers[rows:]


def _bits(values: numpy.ndarray) -> numpy.ndarray:
    """Values by their bits, so that NaN is like itself."""
    return values.view("i%d" % values.dtype.itemsize) if values.dtype.kind == "f" else values


def _parts(first: numpy.ndarray, second: numpy.ndarray) -> numpy.ndarray | None:
    """Numbers of the shortest stretches that hold the same rows in both runs; None where all of it does not."""
    generator = numpy.random.default_rng(secrets.randbits(64))
    marks = generator.integers(0, 2**63, int(max(first.max(), second.max())) + 1, dtype="u8")
    with numpy.errstate(over="ignore"):
        balance = numpy.cumsum(marks[first] - marks[second], dtype="u8")
    if balance[-1] != 0:
        return None
    is_end = balance == 0
    return numpy.concatenate([numpy.zeros(1, "i8"), numpy.cumsum(is_end[:-1])])


def _keys(rows: list[numpy.ndarray]) -> list[numpy.ndarray]:
    """Columns to sort by, whole numbers first: their rows find each other whatever rounding does."""
    columns = [column for each in rows for column in each.T]
    whole = [each for each in columns if each.dtype.kind != "f"]
    return [*whole, *(each for each in columns if each.dtype.kind == "f")]
