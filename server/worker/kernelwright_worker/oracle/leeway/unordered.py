"""Results whose order is that in which threads come, as those of a list that is filled through a counter.
Which elements may change places is found with runs of the original alone, with its blocks in two orders: no
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


#: The outputs of a run by name.
Run = dict[str, numpy.ndarray]


def unordered(first: Run, others: list[Run], sizes: Sequence[int]) -> Unordered | None:
    """How runs of one kernel on the same inputs differ, if it is in the order of rows alone: `first` and `others`
    are the outputs in which they differ. None where that does not explain all of it, so that only the places
    that the outputs had say what is right. `sizes`: numbers by which an output may be laid out.
    """
    counts = {each.shape[0] if each.ndim else 0 for each in first.values()}
    if len(counts) != 1 or 0 in counts:
        return None
    (count,) = counts
    # What asks most of a version comes first.
    if any(each.ndim > 1 for each in first.values()):
        return _by_rows(first, others, count) or _by_lanes(first, others, sizes)
    wide = (_by_rows(first, others, count // width) for width in WIDTHS if count % width == 0)
    found = next((each for each in wide if each is not None), None)
    return found or _by_lanes(first, others, sizes) or _by_rows(first, others, count)


def _by_rows(first: Run, others: list[Run], rows: int) -> Unordered | None:
    """The same of so many rows that are alike in all outputs."""
    parts = _parts(_numbered([first, *others], rows))
    if parts is None:
        return None
    return Unordered(tuple(first), tuple(each.size // rows for each in first.values()), parts)


def _by_lanes(first: Run, others: list[Run], sizes: Sequence[int]) -> Unordered | None:
    """The same of lists that lie between each other: element k of list i stands at k * n + i."""
    (name, *further) = first
    values = first[name]
    trailing = values.size // values.shape[0]
    for lanes in sorted({*sizes, trailing}, reverse=True):
        if further or lanes < 2 or values.size % lanes != 0 or lanes == values.size:
            continue
        turned = [{name: each[name].reshape(-1, lanes).T.reshape(-1)} for each in (first, *others)]
        parts = _parts(_numbered(turned, values.size))
        ends = numpy.arange(lanes) * (values.size // lanes)
        # Each list has to be one of its own: no part goes on into the next.
        if parts is None or (parts[ends[1:]] == parts[ends[1:] - 1]).any():
            continue
        return Unordered((name,), (1,), parts.reshape(lanes, -1).T.reshape(-1))
    return None


def _numbered(runs: list[Run], rows: int) -> list[numpy.ndarray]:
    """Equal rows of all outputs together as equal numbers, in all runs."""
    numbers = numpy.zeros(len(runs) * rows, "i8")
    for name in runs[0]:
        together = numpy.concatenate([each[name].reshape(rows, -1) for each in runs])
        for column in together.T:
            _, own = numpy.unique(_bits(column), return_inverse=True)
            _, numbers = numpy.unique(numbers * (own.max() + 1) + own, return_inverse=True)
    return numpy.split(numbers, len(runs))


def _bits(values: numpy.ndarray) -> numpy.ndarray:
    """Values by their bits, so that NaN is like itself."""
    return values.view("i%d" % values.dtype.itemsize) if values.dtype.kind == "f" else values


def _parts(runs: list[numpy.ndarray]) -> numpy.ndarray | None:
    """Numbers of the shortest stretches that hold the same rows in all runs; None where all of it does not."""
    generator = numpy.random.default_rng(secrets.randbits(64))
    marks = generator.integers(0, 2**63, max(int(each.max()) for each in runs) + 1, dtype="u8")
    is_end = numpy.ones(runs[0].size, bool)
    for other in runs[1:]:
        with numpy.errstate(over="ignore"):
            is_end &= numpy.cumsum(marks[runs[0]] - marks[other], dtype="u8") == 0
    if not is_end[-1]:
        return None
    return numpy.concatenate([numpy.zeros(1, "i8"), numpy.cumsum(is_end[:-1])])


def _keys(rows: list[numpy.ndarray]) -> list[numpy.ndarray]:
    """Columns to sort by, whole numbers first: their rows find each other whatever rounding does."""
    columns = [column for each in rows for column in each.T]
    whole = [each for each in columns if each.dtype.kind != "f"]
    return [*whole, *(each for each in columns if each.dtype.kind == "f")]
