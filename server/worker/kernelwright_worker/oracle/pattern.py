"""What wrong elements have in common: where they lie, and what that makes likely."""

from __future__ import annotations

import numpy

#: From this share of wrong elements on, a place is called wrong as a whole.
WHOLE = 0.999
#: An error below this share of the value is one of precision, not of logic.
SMALL = 0.02
#: An error below this share is what single precision leaves of long sums; half, bfloat16 and TF32, which
#: round to a share of 2**-11 at best, leave more.
ROUNDED = 2.0**-13


def pattern_of(wrong: numpy.ndarray, expected: numpy.ndarray, actual: numpy.ndarray) -> dict:
    """`where`: words on the place of the wrong elements; `cause`: a word for what is likely, or empty."""
    if wrong.size < 2:
        return {"where": "", "cause": ""}
    where, cause = _place(wrong)
    scale = _factor(wrong, expected, actual)
    if scale is not None:
        where = "%s, each %.4g times what is expected" % (where, scale)
        cause = "scale"
    elif (error := _small_error(wrong, expected, actual)) is not None:
        cause = "reduction-order" if error <= ROUNDED else "precision"
    elif (
        numpy.isnan(actual[wrong].astype("f8")).all() and not numpy.isnan(expected[wrong].astype("f8")).any()
    ):
        where = "%s, each NaN" % where
    return {"where": where, "cause": cause}


def _place(wrong: numpy.ndarray) -> tuple[str, str]:
    flat = numpy.flatnonzero(wrong.reshape(-1))
    first, last, count = int(flat[0]), int(flat[-1]), flat.size
    if count == wrong.size:
        return "all elements", ""
    if first == 0 and last == wrong.size - 1 and count >= WHOLE * wrong.size:
        return "%d of all %d elements, from the first to the last" % (count, wrong.size), ""
    wrapped = _wrapped(flat, wrong.size)
    if wrapped is not None:
        return wrapped
    if wrong.ndim > 1:
        found = _lines(wrong)
        if found is not None:
            return found
    if last == wrong.size - 1 and count >= WHOLE * (last - first + 1):
        if first >= 2**15 and first & (first - 1) == 0:
            return "all elements from %d on, a power of two" % first, "index-overflow"
        if first == wrong.size - 1:
            return "the last element alone", "tail"
        return "the last %d elements, from %d on" % (wrong.size - first, first), "tail"
    if count >= WHOLE * (last - first + 1):
        return "elements %d to %d" % (first, last), ""
    steps = numpy.diff(flat)
    if count > 2 and (steps == steps[0]).all():
        return "every %dth element from %d on" % (int(steps[0]), first), ""
    return "%d elements spread from %d to %d" % (count, first, last), ""


def _wrapped(flat: numpy.ndarray, size: int) -> tuple[str, str] | None:
    """What an index of few bits leaves: all beyond what it counts to, and some of where these went instead."""
    for bits in (15, 16):
        limit = 2**bits
        beyond = size - limit
        if beyond <= 0 or flat[-1] != size - 1 or numpy.count_nonzero(flat >= limit) != beyond:
            continue
        before = flat[flat < limit]
        if before.size > 0 and before[-1] < beyond:
            return "all elements from %d on and %d of the first %d" % (
                limit,
                before.size,
                beyond,
            ), "index-overflow"
    return None


def _lines(wrong: numpy.ndarray) -> tuple[str, str] | None:
    """Whole rows, whole columns or the ends of rows of an output of several axes."""
    rows = wrong.reshape(-1, wrong.shape[-1])
    bad_rows = numpy.flatnonzero(rows.any(axis=1))
    bad_columns = numpy.flatnonzero(rows.any(axis=0))
    inside = rows[numpy.ix_(bad_rows, bad_columns)]
    if inside.mean() < WHOLE:
        return None
    across, down = bad_columns.size == rows.shape[1], bad_rows.size == rows.shape[0]
    if across:
        ends = bad_rows[-1] == rows.shape[0] - 1 and _is_run(bad_rows)
        return "whole rows: %s" % _range(bad_rows), "tail" if ends and bad_rows[0] > 0 else ""
    if down:
        ends = bad_columns[-1] == rows.shape[1] - 1 and _is_run(bad_columns)
        return "whole columns: %s" % _range(bad_columns), "tail" if ends else ""
    return "%s, %s" % (_named("row", bad_rows), _named("column", bad_columns)), ""


def _is_run(places: numpy.ndarray) -> bool:
    return int(places[-1] - places[0]) + 1 == places.size


def _named(word: str, places: numpy.ndarray) -> str:
    if places.size > 1 and not _is_run(places):
        return "%d %ss from %d to %d" % (places.size, word, places[0], places[-1])
    return "%s%s %s" % (word, "" if places.size == 1 else "s", _range(places))


def _range(places: numpy.ndarray) -> str:
    if places.size == 1:
        return "%d" % places[0]
    if _is_run(places):
        return "%d to %d" % (places[0], places[-1])
    return "%d of them from %d to %d" % (places.size, places[0], places[-1])


def _factor(wrong: numpy.ndarray, expected: numpy.ndarray, actual: numpy.ndarray) -> float | None:
    """The one factor by which all wrong values are off; None where there is none."""
    if expected.dtype.kind == "b" or numpy.count_nonzero(wrong) < 4:
        return None
    wanted, found = expected[wrong].astype("f8"), actual[wrong].astype("f8")
    usable = numpy.isfinite(wanted) & numpy.isfinite(found) & (wanted != 0)
    if numpy.count_nonzero(usable) < 4:
        return None
    factors = found[usable] / wanted[usable]
    middle = float(numpy.median(factors))
    if middle == 0 or abs(middle - 1) < SMALL:
        return None
    return middle if numpy.mean(numpy.abs(factors / middle - 1) < 1e-3) >= 0.99 else None


def _small_error(wrong: numpy.ndarray, expected: numpy.ndarray, actual: numpy.ndarray) -> float | None:
    """The largest error as a share of the size of the values; None where it is no matter of precision."""
    wanted, found = expected[wrong].astype("f8"), actual[wrong].astype("f8")
    if expected.dtype.kind != "f" or not numpy.isfinite(found).all() or not numpy.isfinite(wanted).all():
        return None
    size = numpy.maximum(numpy.abs(wanted), numpy.sqrt(numpy.mean(wanted * wanted)))
    if not (numpy.abs(found - wanted) <= SMALL * size).all():
        return None
    # No size is zero here: where all are, what was found is zero as well, and nothing is wrong.
    return float((numpy.abs(found - wanted) / size).max())
