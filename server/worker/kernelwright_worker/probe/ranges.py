"""Which values the whole numbers among the inputs of a call may have, and how they are drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from ..tensors import DTYPES
from .values.choices import REAL_BYTES, tells_offsets
from .entries import Entry
from .sizes import first_sizes

if TYPE_CHECKING:
    from .attempts import Attempts

#: Types that are too narrow for places, and what packed numbers of few bits are called.
_NARROW = ("int8", "uint8", "int16", "uint16")
_PACKED = re.compile(r"(^|_)(q?w|q?weights?|q?zeros?|packed|quant\w*|\w*_?packed)($|_)", re.I)
#: What lengths of rows are called, and the size of what each entry of a table stands for.
_LENGTHS = re.compile(r"(^|_)(\w*lens?|\w*lengths?)($|_)", re.I)
_PER_ENTRY = re.compile(
    r"(?!.*(num|max|pages|blocks|chunks))(\w*_)?(page|block|blk|chunk)(_\w+|size|len)?", re.I
)


def find_ranges(
    entry: Entry,
    probe: Attempts,
    cases: list[dict[str, int]],
    runs_with: Callable[[dict[str, int]], bool],
) -> list[dict]:
    """Finds the largest size that the values of each input of whole numbers may stay below without a fault, or that
    they may be anything; gives what is to be looked at. `runs_with`: whether the call runs on the virtual GPU with
    sizes; `cases`: the first sizes and others that it runs with.
    """
    told = []
    runs = lambda: runs_with(cases[0])
    sizes = first_sizes(entry)
    # Where rows begin and how long they are comes first: only then is all of a table read.
    first = lambda each: (not tells_offsets(each[0], each[1].tensor), not _LENGTHS.search(each[0]))
    for name, choice in sorted(entry.tensors().items(), key=first):
        dtype = choice.tensor.dtype
        is_known = name in probe.flags or name in probe.values or choice.is_real
        if "int" not in dtype or probe.late or is_known:
            continue
        if dtype in _NARROW or (dtype == "int32" and _PACKED.search(name)):
            probe.data.add(name)
            if runs():
                told.append(_sentence(name, "any %s ran without a fault" % dtype))
                continue
            probe.data.discard(name)
        before = probe.below.get(name)
        for size in sorted(sizes, key=sizes.get, reverse=True):
            probe.below[name] = size
            if runs():
                break
        else:
            probe.below[name] = before or "1"
        is_free = before is None and len(cases) > 1
        if is_free and _LENGTHS.search(name) and probe.below[name] in sizes:
            _lengthen(entry, probe, name, lambda: all(runs_with(each) for each in cases))
        below = "" if tells_offsets(name, choice.tensor) else "below "
        told.append(_sentence(name, "from 0 to %s%s ran without a fault" % (below, probe.below[name])))
    return told


def _lengthen(entry: Entry, probe: Attempts, name: str, runs: Callable[[], bool]) -> None:
    """Lengths of rows that a table of pages leads to are as long as all the pages of a row, where these run."""
    kept = probe.below[name]
    for held in _held_by_tables(entry, name):
        probe.below[name] = held
        if runs():
            return
    probe.below[name] = kept


def _held_by_tables(entry: Entry, name: str) -> list[str]:
    """How much the rows of the tables of whole numbers stand for: their entries times the size of a page."""
    sizes = first_sizes(entry)
    tensors = {alias: choice.tensor for alias, choice in entry.tensors().items() if alias != name}
    columns = [each.dims[-1] for each in tensors.values() if "int" in each.dtype and len(each.dims) > 1]
    parts = [each for each in sizes if _PER_ENTRY.fullmatch(each)]
    pairs = dict.fromkeys((row, part) for row in columns for part in parts if row in sizes and row != part)
    most = sorted(pairs, key=lambda each: sizes[each[0]] * sizes[each[1]], reverse=True)
    return ["%s * %s" % each for each in most]


def _sentence(name: str, what: str) -> dict:
    return {"path": "inputs.%s.distribution" % name, "sentence": "the values of %s; %s." % (name, what)}


def described_input(entry: Entry, probe: Attempts, name: str) -> dict:
    """An input as a spec has it: dtype, shape and, where it is none of the usual one, distribution."""
    tensor = entry.tensors()[name].tensor
    described = {"dtype": tensor.dtype, "shape": list(tensor.dims)}
    distribution = _distribution(entry, probe, name)
    return described if distribution is None else {**described, "distribution": distribution}


def _distribution(entry: Entry, probe: Attempts, name: str) -> str | dict | None:
    tensor = entry.tensors()[name].tensor
    flags = {each.alias for each in entry.parameters if each.flag}
    seen = probe.values.get(name, {})
    if entry.tensors()[name].is_real:
        return {"kind": "range", "low": 0, "high": REAL_BYTES}
    if tensor.dtype == "bool" or name in flags:
        return "zero-one"
    if seen.get("kind") in ("uniform", "positive"):
        return seen["kind"]
    if seen.get("kind") == "permutation":
        return {"kind": "permutation", "first": seen["low"]}
    if "int" not in tensor.dtype:
        return None
    if name in probe.data:
        bounds = torch.iinfo(DTYPES[tensor.dtype])
        return {"kind": "range", "low": bounds.min, "high": bounds.max}
    bound = probe.below.get(name, "2")
    if tells_offsets(name, tensor):
        return {"kind": "offsets", "total": int(bound) if bound.isdigit() else bound}
    high = "%s - 1" % bound if not bound.isdigit() else int(bound) - 1
    return {"kind": "range", "low": seen.get("low", 0), "high": high}
