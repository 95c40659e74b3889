"""The test of a task itself: would an output pass that was not computed from the inputs?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from .cases import Case


# An output that is so many times smaller than an input may be a sum or a maximum over all of it.
LEAST_REDUCTION = 16


def passing_outputs(
    cases: tuple[Case, Case, Case],
    passes: Callable[[dict[str, numpy.ndarray]], bool],
    has_reference: bool,
    copied: set[str],
) -> list[str]:
    """Names of the outputs that compute nothing and that `passes` takes all the same. `cases` are one case,
    one of another seed and one with the first one's inputs in another order. `copied`: inputs of which a copy
    is what is computed.
    """
    case, other, shuffled = cases
    passing = [label for label, outputs in _outputs(case, other, copied) if passes(outputs)]
    if passes(other.expected):
        passing.append("the output for other inputs (the expected output hardly depends on them)")
    elif (
        not _is_same(case, shuffled)
        and passes(shuffled.expected)
        and not _may_be_order_free(case, shuffled, has_reference)
    ):
        passing.append("the output for the same inputs in another order")
    return passing


def copied_inputs(cases: tuple[Case, Case, Case]) -> set[str]:
    """Inputs that every output equals exactly in every case: their copy is the result, whatever they hold. What
    is changed in place was not copied but left as it was.
    """
    return {
        name
        for name in cases[0].values
        if name not in cases[0].expected
        and all(_equals(case.values[name], value) for case in cases for value in case.expected.values())
    }


def _equals(source: numpy.ndarray, value: numpy.ndarray) -> bool:
    return source.size == value.size and numpy.array_equal(source.ravel(), value.ravel())


def _outputs(case: Case, other: Case, copied: set[str]) -> Iterator[tuple[str, dict[str, numpy.ndarray]]]:
    # The mean is taken over another seed's values: of a single element it would be the answer itself.
    means = {name: numpy.mean(value) if value.size else 0 for name, value in other.expected.items()}

    def filled(choose: Callable[[str], object]) -> dict[str, numpy.ndarray]:
        return {
            name: numpy.full(value.shape, choose(name), dtype=value.dtype)
            for name, value in case.expected.items()
        }

    yield "all zeros", filled(lambda name: 0)
    yield "a constant (one)", filled(lambda name: 1)
    yield "a constant (the mean)", filled(lambda name: means[name])
    for input_name, source in case.values.items():
        if input_name in copied:
            continue
        if all(source.size == value.size for value in case.expected.values()):
            yield (
                "input %s passed through" % input_name,
                {name: source.reshape(value.shape) for name, value in case.expected.items()},
            )


def _is_same(case: Case, shuffled: Case) -> bool:
    """Two numbers come back in their order in every second draw."""
    return all(
        numpy.array_equal(value, shuffled.values[name], equal_nan=value.dtype.kind == "f")
        for name, value in case.values.items()
    )


def _may_be_order_free(case: Case, shuffled: Case, has_reference: bool) -> bool:
    """The baseline's own sums are rounded: there, only a result that is much smaller than an input may be
    one over everything.
    """
    if has_reference:
        return _is_order_free(case, shuffled)
    if _is_sorting(case, shuffled):
        return True
    largest = max((value.size for value in case.values.values()), default=0)
    return all(value.size * LEAST_REDUCTION <= largest for value in case.expected.values())


def _is_sorting(case: Case, shuffled: Case) -> bool:
    """Every output holds the values of an input, the same whatever their order was."""
    return all(
        numpy.array_equal(value, shuffled.expected[name])
        and any(
            numpy.array_equal(numpy.sort(value, axis=None), numpy.sort(source, axis=None))
            for source in case.values.values()
        )
        for name, value in case.expected.items()
    )


def _is_order_free(case: Case, shuffled: Case) -> bool:
    """A sum or a maximum over everything does not depend on the order by its nature; that is no fault of the
    spec.
    """
    return all(
        numpy.allclose(
            value.astype("f8"), shuffled.expected[name].astype("f8"), rtol=1e-9, atol=1e-12, equal_nan=True
        )
        for name, value in case.expected.items()
    )
