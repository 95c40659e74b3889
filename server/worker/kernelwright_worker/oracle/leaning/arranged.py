"""Inputs whose values are in an order, or related to those of another input. Random values stand in no order
and independent inputs have nothing in common, which hides what is wrong for signals and for copies: the
largest that stand side by side, a table that is computed near its diagonal alone, a sign that is told by
single precision on points that nearly lie on a line.
"""

from __future__ import annotations

import numpy

ARRANGED = "arranged"

#: What is cut where an input has fewer rows: each kind of order stands in two pieces at least.
_PIECES = 16

#: Rows of fewer numbers have no order to speak of.
_SHORTEST = 8

#: How many numbers are in one order. Sums of longer runs go so far from zero and back that rounding counts.
_RUN = 1024

#: In how long a row all but one number are alike. In longer ones stretches are alike, so short that sums,
#: which round each of their numbers to the same side, stay as accurate.
_ALIKE = 512
_ALIKE_OF_LONG = 128

#: How far the largest is above numbers that are alike, at least, and at most in short rows. In longer ones it
#: is as far as their exponentials together come to that of the largest.
_ABOVE = (5.0, 6.0)

#: Of copied numbers one in so many is another.
_OTHER = 16

_OPEN = ("normal", "uniform", "positive", "integers")


def arrange(
    generator: numpy.random.Generator,
    values: dict[str, numpy.ndarray],
    dtypes: dict[str, str],
    distributions: dict[str, str | dict],
) -> None:
    """Arranges every second row of the inputs that promise nothing of single values: ascending, descending,
    with one peak, or nearly all alike. Of inputs of one type and distribution that have as many rows, half of
    the second's rows become those of the first, perhaps moved along, and a third input of their shape lies
    between both there. The others stay, so that the outputs keep their usual size.
    """
    names = [name for name in values if dtypes[name] != "bool" and _is_open(distributions[name])]
    for name in names:
        values[name] = values[name].copy()
        _in_order(generator, _rows(values[name], _SHORTEST), distributions[name])
    groups = {}
    for name in names:
        rows = _rows(values[name], 2)
        groups.setdefault((dtypes[name], str(distributions[name]), len(rows)), []).append(rows)
    for group in groups.values():
        _relate(generator, group)


def _is_open(distribution: str | dict) -> bool:
    if isinstance(distribution, dict):
        return distribution["kind"] == "range" and not distribution.get("sorted")
    return distribution in _OPEN


def _rows(values: numpy.ndarray, fewest: int) -> numpy.ndarray:
    """The rows of values, or pieces of all of them where there are not so many rows, as a view."""
    if values.ndim > 1 and values.size >= fewest * values.shape[-1] > 0:
        return values.reshape(-1, values.shape[-1])
    pieces = min(_PIECES, values.size)
    length = values.size // max(1, pieces)
    return values.reshape(-1)[: pieces * length].reshape(pieces, length)


def _in_order(generator: numpy.random.Generator, rows: numpy.ndarray, distribution: str | dict) -> None:
    if rows.shape[1] < _SHORTEST:
        return
    ascending, descending, peaked, alike = rows[1::16], rows[9::16], rows[5::8], rows[3::4]
    run = min(rows.shape[1], _RUN)
    whole = rows.shape[1] - rows.shape[1] % run
    for chosen in (ascending, descending, peaked):
        runs = numpy.sort(chosen[:, :whole].reshape(len(chosen), whole // run, run), axis=2)
        if chosen is descending:
            runs = runs[:, :, ::-1]
        if chosen is peaked:
            runs = numpy.concatenate([runs[:, :, ::2], runs[:, :, 1::2][:, :, ::-1]], axis=2)
        chosen[:, :whole] = runs.reshape(len(chosen), whole)
    alike[:] = _alike(generator, alike, distribution)


def _alike(generator: numpy.random.Generator, rows: numpy.ndarray, distribution: str | dict) -> numpy.ndarray:
    """Rows of like numbers with one larger number each. Within a range, like the least of a row."""
    count, length = rows.shape
    stretch = length if length <= _ALIKE else max(1, _ALIKE * _ALIKE_OF_LONG // length)
    if distribution == "normal" and rows.dtype.kind == "f":
        like = generator.normal(0.0, 0.5, (count, 1)) + generator.uniform(0.0, 0.25, rows[:, ::stretch].shape)
        largest = like.max(axis=1) + generator.uniform(_ABOVE[0], max(_ABOVE[1], numpy.log(length)), count)
    else:
        like = numpy.sort(rows, axis=1)[:, : rows[:, ::stretch].shape[1]]
        largest = rows.max(axis=1)
    made = numpy.repeat(like, stretch, axis=1)[:, :length]
    made[numpy.arange(count), generator.integers(length, size=count)] = largest
    return made


def _relate(generator: numpy.random.Generator, group: list[numpy.ndarray]) -> None:
    """Relates the third and fourth of each four rows."""
    if len(group) < 2:
        return
    first, second, *others = ([rows[place::4] for place in (2, 3)] for rows in group)
    if not others or first[0].shape != second[0].shape:
        for of, to in zip(first, second):
            _copy(generator, of, to)
    for third in others:
        for start, end, to in zip(first, second, third):
            if start.shape == end.shape == to.shape and to.dtype.kind == "f":
                to[:] = start + generator.uniform(0.0, 1.0, (len(to), 1)) * (end - start)
            else:
                _copy(generator, start, to)


def _copy(generator: numpy.random.Generator, rows: numpy.ndarray, to: numpy.ndarray) -> None:
    """Puts rows into others, every second one moved by up to half of its length. A few numbers stay."""
    count, length = rows.shape[0], min(rows.shape[1], to.shape[1])
    moves = generator.integers(0, max(1, length // 2), count) * (numpy.arange(count) % 2)
    places = numpy.arange(length)[None, :] + moves[:, None]
    is_kept = (places >= rows.shape[1]) | (generator.random((count, length)) < 1 / _OTHER)
    moved = numpy.take_along_axis(rows, numpy.minimum(places, rows.shape[1] - 1), axis=1)
    to[:, :length] = numpy.where(is_kept, to[:, :length], moved)
