"""Inputs from secret seeds, or from one that the user chose. A variant other than `declared` probes values that a kernel may have been fitted
around.
"""

from __future__ import annotations

import dataclasses
import secrets

import numpy

from .datatypes import is_float
from .distributions import draw, is_offsets, permutation
from .leaning.arranged import ARRANGED
from .leaning.exacting import EXACTING
from .leaning.level import LEVEL, level
from .leaning.lopsided import LOPSIDED, leaning, stride_of
from .leaning.selection import few, has_few
from .special import SPECIAL, sprinkled

VARIANTS = (
    *("declared", "wide", "zero-one", "extreme", "small", "all-bits", "far-from-zero", "few"),
    *(ARRANGED, *EXACTING, *LEVEL, *LOPSIDED, *SPECIAL),
)

#: Zeros of both signs are no ordinary values either: what divides by them may take either sign.
UNUSUAL = (*LEVEL, *SPECIAL)

#: What normal values are multiplied with in `extreme`: exp of some of them leaves single precision.
EXTREME = 48.0

#: What some rows of one input are multiplied with beside that: where exp of the largest value of another
#: row is what all is divided by, nothing of single precision is left of theirs.
LOWER = 0.0625

#: What values are multiplied with in `small`: their squares are as small as what is added to a divisor.
SMALL = 2.0**-10


@dataclasses.dataclass(frozen=True)
class Wanted:
    """What values are wanted: of which type, how many, and in which variant."""

    dtype: str
    shape: list[int]
    variant: str


def make(wanted: Wanted, distribution: str | dict) -> numpy.ndarray:
    """Values of one input as float64 (or int64). `wide` mixes large, small and zero values into continuous
    distributions, and rows that are negative; `zero-one` makes results exact, so that the order of additions does not matter;
    `extreme` makes them some hundreds, `small` about a thousandth; `all-bits` draws integers over the range of their type;
    those of `level` have many ties, those of `lopsided` lean to one side, `few` has some values again and again. All
    others leave integer inputs, and all leave the distributions that promise
    something about the values as they are.
    """
    generator = new_generator()
    drawn = _drawn(generator, wanted, distribution)
    if wanted.variant == "few":
        return few(generator, drawn) if has_few(wanted.dtype, distribution) else drawn
    return leaning(generator, drawn, wanted.variant, distribution)


def _drawn(generator: numpy.random.Generator, wanted: Wanted, distribution: str | dict) -> numpy.ndarray:
    dtype, shape, variant = wanted.dtype, wanted.shape, wanted.variant
    if distribution == "permutation":
        return permutation(generator, shape)
    if isinstance(distribution, dict):
        return draw(generator, distribution, shape, not is_float(dtype))
    if distribution == "sorted":
        return numpy.sort(make(wanted, "normal" if is_float(dtype) else "integers"), axis=None).reshape(shape)
    if not is_float(dtype):
        if variant == "strided" and dtype != "bool" and distribution in ("normal", "integers", "uniform"):
            return _strided(generator, dtype, shape)
        if variant == "all-bits" and dtype != "bool" and distribution in ("normal", "integers", "uniform"):
            return _all_bits(generator, dtype, shape)
        return _integers(generator, dtype, distribution, shape)
    continuous = distribution in ("normal", "uniform")
    if continuous and variant == "zero-one":
        return generator.integers(0, 2, shape).astype("f8")
    if continuous and variant in LEVEL:
        return level(generator, shape, variant)
    values = _floats(generator, distribution, shape)
    if continuous and variant in SPECIAL:
        return sprinkled(generator, values, dtype, variant)
    if continuous and variant == "extreme":
        return values * EXTREME
    if continuous and variant == "small":
        return values * SMALL
    if continuous and variant == "wide":
        scale = generator.choice([4.0, 1.0, 0.015625, 0.0], size=shape, p=[0.3, 0.4, 0.2, 0.1])
        return _with_negative_rows(generator, values * scale)
    return values


def _with_negative_rows(generator: numpy.random.Generator, values: numpy.ndarray) -> numpy.ndarray:
    """Values of which a quarter of the rows, one at least, are all below zero: what is put in for missing elements
    shows in their maximum.
    """
    if values.ndim < 2 or values.size == 0:
        return values
    rows = values.reshape(-1, values.shape[-1])
    chosen = generator.choice(rows.shape[0], size=max(1, rows.shape[0] // 4), replace=False)
    rows[chosen] = -numpy.abs(rows[chosen]) - 0.5
    return rows.reshape(values.shape)


def spread_rows(
    values: dict[str, numpy.ndarray], dtypes: dict[str, str], distributions: dict[str, str | dict]
) -> None:
    """Makes half of the rows of one input far smaller than the others: what takes several rows for one shows.
    It is the first input that has rows and whose values are left open; products tell no more where several
    are small. Rows are not moved: their variance is hard to tell beside a large mean.
    """
    for name, own in values.items():
        is_open = is_float(dtypes[name]) and distributions[name] in ("normal", "uniform")
        if not is_open or own.ndim < 2 or own.shape[-1] < 2 or own.size <= own.shape[-1]:
            continue
        rows = own.reshape(-1, own.shape[-1]).copy()
        rows[new_generator().choice(rows.shape[0], size=rows.shape[0] // 2, replace=False)] *= LOWER
        values[name] = rows.reshape(own.shape)
        return


def from_recording(wanted: Wanted, values: numpy.ndarray, within: float | None = None) -> numpy.ndarray:
    """What a program handed to the kernel: `declared` as it was, else with every floating value scaled by a
    secret factor and some exchanged, so that nobody can know the answer, even where it is no more than a
    sign. Whole numbers may be indices and stay, and what ascends or descends goes on doing so. `within`: no
    value moves by a larger share, and none is exchanged.
    """
    if wanted.variant == "declared" or not is_float(wanted.dtype):
        return values
    generator = new_generator()
    if within is not None:
        near = values * generator.uniform(1 - within, 1 + within, values.shape)
        return _in_order_of(values, near, near)
    # One more factor for all, so that sums over many elements differ as well.
    scaled = values * generator.uniform(0.5, 1.5, values.shape) * generator.uniform(0.5, 1.0)
    return _in_order_of(values, _exchanged(generator, scaled), scaled)


#: Members of structures that are looked at one by one: `{time, rate}` after `{time, rate}`.
_most_members = 8
#: Fewer values may be in order by chance.
_fewest_ordered = 8


def _in_order_of(recorded: numpy.ndarray, changed: numpy.ndarray, scaled: numpy.ndarray) -> numpy.ndarray:
    """`changed`, but for what is in order in a recording, which holds the scaled values in that order: places
    are looked for in times and limits of tables, which may stand beside other members of structures.
    """
    for members in range(1, _most_members + 1):
        if recorded.size % members != 0 or recorded.size < members * _fewest_ordered:
            continue
        columns = recorded.reshape(-1, members)
        steps = numpy.diff(columns, axis=0)
        is_moving = columns[0] != columns[-1]
        ascends = (steps >= 0).all(axis=0) & is_moving
        descends = (steps <= 0).all(axis=0) & is_moving
        if not (ascends | descends).any():
            continue
        ordered = numpy.sort(scaled.reshape(-1, members), axis=0)
        result = changed.reshape(-1, members).copy()
        result[:, ascends] = ordered[:, ascends]
        result[:, descends] = ordered[::-1, descends]
        return result.reshape(recorded.shape)
    return changed


def _exchanged(generator: numpy.random.Generator, values: numpy.ndarray) -> numpy.ndarray:
    """Values of which a quarter has changed places, in pairs."""
    flat = values.reshape(-1).copy()
    pairs = flat.size // 8
    one, other = numpy.split(generator.permutation(flat.size)[: 2 * pairs], 2)
    flat[one], flat[other] = flat[other], flat[one].copy()
    return flat.reshape(values.shape)


#: The seed that the user chose; without one every generator has a secret seed of its own.
_chosen: numpy.random.SeedSequence | None = None


def draw_from(seed: int | None) -> None:
    """From now on the values follow from a seed and from how many inputs were made before: no name and no text
    has a part in them. Without one, seeds are secret.
    """
    global _chosen
    _chosen = None if seed is None else numpy.random.SeedSequence(seed)


def new_generator() -> numpy.random.Generator:
    """One with a seed of its own: secret, or the next that follows from the chosen one."""
    source = secrets.randbits(128) if _chosen is None else _chosen.spawn(1)[0]
    return numpy.random.Generator(numpy.random.PCG64(source))


def _floats(generator: numpy.random.Generator, distribution: str | dict, shape: list[int]) -> numpy.ndarray:
    if distribution == "uniform":
        return generator.uniform(-1.0, 1.0, shape)
    if distribution == "positive":
        return generator.uniform(0.0, 1.0, shape) + 2.0**-10
    if distribution == "zero-one":
        return generator.integers(0, 2, shape).astype("f8")
    if distribution == "integers":
        return generator.integers(-8, 9, shape).astype("f8")
    return generator.standard_normal(shape)


def _all_bits(generator: numpy.random.Generator, dtype: str, shape: list[int]) -> numpy.ndarray:
    """Whole numbers over the whole range of their type; those of 64 bits as far as a product stays exact."""
    bits = min(int("".join(filter(str.isdigit, dtype))), 52)
    low, high = (0, 2**bits) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    return generator.integers(low, high, shape)


def _strided(generator: numpy.random.Generator, dtype: str, shape: list[int]) -> numpy.ndarray:
    """The same, multiples of the power of two that leaves some hundred different ones."""
    values = _all_bits(generator, dtype, shape)
    step = stride_of(int(values.max(initial=0)))
    return values // step * step


def _integers(
    generator: numpy.random.Generator, dtype: str, distribution: str | dict, shape: list[int]
) -> numpy.ndarray:
    if dtype == "bool" or distribution == "zero-one":
        return generator.integers(0, 2, shape)
    if distribution == "positive":
        return generator.integers(1, 101, shape)
    return generator.integers(0 if dtype.startswith("u") else -100, 101, shape)


def nudged(values: numpy.ndarray, turns: bool) -> numpy.ndarray:
    """The same values but for one, at a secret place. If it `turns`, that one is as large as the largest and
    of the other sign. Otherwise a small one gets a value of its own sign that is far larger, yet none of the
    largest: results show the change, and a digest of signs and magnitudes may not."""
    if values.size == 0:
        return values
    changed = values.copy()
    flat = changed.reshape(-1)
    generator = new_generator()
    at = int(generator.integers(flat.size))
    sizes = numpy.abs(flat)
    if turns:
        flat[at] = -sizes.max() if flat[at] >= 0 else sizes.max()
        return changed
    same = (flat >= 0) == (flat[at] >= 0)
    small, large, largest = numpy.quantile(sizes[same], (0.25, 0.75, 0.9))
    places = numpy.flatnonzero(same & (sizes <= small))
    at = int(generator.choice(places)) if places.size > 0 else at
    others = flat[same & (sizes >= large) & (sizes <= largest) & (flat != flat[at])]
    flat[at] = generator.choice(others) if others.size > 0 else flat[at] / 2
    return changed


def in_another_order(values: numpy.ndarray, distribution: str | dict) -> numpy.ndarray:
    """The same values in another order; of offsets the rows that they bound."""
    if not is_offsets(distribution):
        return permuted(values)
    flat = values.reshape(-1)
    ends = flat[:1] + numpy.cumsum(permuted(numpy.diff(flat)), dtype=flat.dtype)
    return numpy.concatenate([flat[:1], ends]).reshape(values.shape)


def permuted(values: numpy.ndarray) -> numpy.ndarray:
    """The same values in another order; what has fewer than two elements stays."""
    flat = values.reshape(-1)
    if flat.size < 2:
        return values
    order = new_generator().permutation(flat.size)
    return flat[order].reshape(values.shape)
