"""Looks for arguments with which an entry runs: one change at a time, what gets further is kept."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator

from .values.choices import Tensor
from .values.parameters import Parameter
from .entries import Entry
from .sizes import first_sizes

#: Runs without the GPU that one entry may take; each takes milliseconds.
MOST_ATTEMPTS = 160
#: Numbers of a constructor that are tried in pairs, and values of each.
_MOST_NUMBERS, _MOST_VALUES = 3, 8
#: Numbers of a source that counts of windows are made of: how many, and the largest.
_MOST_KNOWN, _MOST_NUMBER = 6, 2**16
#: Tensors of whole numbers whose widths are tried with each other.
_MOST_WHOLE = 3


@dataclasses.dataclass
class Attempt:
    """What came of calling an entry once."""

    #: 0: raised before the kernel, 1: raised after a launch of it, 2: returned, but without one, 3: ran.
    stage: int
    #: Lines of the user's files that were run.
    progress: int
    problem: str = ""
    #: dtype and shape of each tensor that came back, which input it is part of (None: memory of its own), and
    #: whether a launch had it.
    results: list[tuple[str, list[int], str | None, bool]] = dataclasses.field(default_factory=list)
    #: Digests of what came back, in the order of `results`.
    contents: list[bytes] = dataclasses.field(default_factory=list)
    #: By parameter of the kernel what its last launch was handed there and changed, as in `results`.
    arguments: dict[str, tuple[str, list[int], str | None, bool]] = dataclasses.field(default_factory=dict)
    #: Where launches have stopped to read inputs, in elements; of a run that was asked to tell.
    read: dict[str, int] = dataclasses.field(default_factory=dict)
    #: Inputs that launches have changed.
    changed: set[str] = dataclasses.field(default_factory=set)
    #: The input that a launch left, and what the virtual GPU said.
    fault: str = ""
    faulty: str | None = None
    #: Of arguments that were handed over without contents: how far they were written; None for no box.
    written: dict[str, list[int] | None] = dataclasses.field(default_factory=dict)
    #: Inputs without contents that were read.
    uninitialized: set[str] = dataclasses.field(default_factory=set)
    #: Elements of what came back that nobody wrote.
    left: int = 0
    #: Warp-level instructions of all launches, with what many of them cost; lines of the longest PTX among
    #: them; and how many there were.
    instructions: int = 0
    lines: int = 0
    launches: int = 0
    #: The most blocks of a launch of the kernel that was only noted; 0 where none was.
    blocks: int = 0
    #: What launches that were only noted were compiled for, by kernel and parameter.
    constants: dict[tuple[str, str], object] = dataclasses.field(default_factory=dict)
    kernels: list[str] = dataclasses.field(default_factory=list)

    @property
    def rank(self) -> tuple[int, int]:
        return (self.stage, self.progress)


Try = Callable[[Entry, dict[str, int]], Attempt]


def find_arguments(entry: Entry, run: Try) -> Attempt:
    """Changes the choices of `entry` until it runs or nothing helps; gives the best attempt, whose choices stay."""
    best = run(entry, first_sizes(entry))
    attempts = 1
    while best.stage < 3 and attempts < MOST_ATTEMPTS:
        before = best.rank
        for parameter in _suspects_first(entry, best.problem):
            kept = parameter.chosen
            for index in range(len(parameter.choices)):
                if index == kept or attempts >= MOST_ATTEMPTS:
                    continue
                parameter.chosen = index
                attempt = run(entry, first_sizes(entry))
                attempts += 1
                if attempt.rank > best.rank:
                    best, kept = attempt, index
                if best.stage == 3:
                    break
            parameter.chosen = kept
            if best.rank > before:
                break
        if best.rank == before:
            together = _made_together(entry, run, best)
            if together is None:
                break
            best = together
    return best


def _made_together(entry: Entry, run: Try, best: Attempt) -> Attempt | None:
    """Two numbers of a constructor that has to have both before it goes on, `dim // heads in (64, 128)`: the first
    values of both with which a call gets further.
    """
    if not re.search(r"\bin __init__\b", best.problem):
        return None
    numbers = [each for each in entry.making if each.choice and not each.choice.tensor]
    numbers = [each for each in _suspects_first(entry, best.problem) if each in numbers][:_MOST_NUMBERS]
    for one, other in itertools.combinations(numbers, 2):
        kept = one.chosen, other.chosen
        listed = [range(min(len(each.choices), _MOST_VALUES)) for each in (one, other)]
        for one.chosen, other.chosen in itertools.product(*listed):
            attempt = run(entry, first_sizes(entry))
            if attempt.rank > best.rank:
                return attempt
        one.chosen, other.chosen = kept
    return None


def _suspects_first(entry: Entry, problem: str) -> list[Parameter]:
    """The parameters that a problem names before others, and what can be left out after them: a type that a module
    is made with by default is what it is made for.
    """
    needed_first = sorted(entry.parameters, key=lambda each: each.choices[0] is None)
    named = [each for each in needed_first if re.search(r"\b%s\b" % re.escape(each.name), problem)]
    return [*named, *(each for each in needed_first if each not in named)]


def try_widths(entry: Entry, problem: str, tried: set[tuple[str, int]], runs: Callable[[], bool]) -> bool:
    """Where a problem speaks of the width of whole numbers, gives the tensors of such numbers the next widths that
    were not tried yet and with which it runs; false when there are none.
    """
    whole = [each for each in entry.parameters if _width(each) is not None]
    if not re.search(r"\bint(?:32|64)\b", problem) or not 0 < len(whole) <= _MOST_WHOLE:
        return False
    first = [each.chosen for each in whole]
    for widths in itertools.product(("int64", "int32"), repeat=len(whole)):
        key = (" ".join(("widths", *widths)), 0)
        if key in tried or list(widths) == [_width(each) for each in whole]:
            continue
        tried.add(key)
        for parameter, width in zip(whole, widths):
            _take_width(parameter, width)
        if runs():
            return True
    for parameter, chosen in zip(whole, first):
        parameter.chosen = chosen
    return False


def _width(parameter: Parameter) -> str | None:
    tensor = parameter.choice.tensor if parameter.choice else None
    return tensor.dtype if tensor and tensor.dtype in ("int64", "int32") else None


def _take_width(parameter: Parameter, width: str) -> None:
    choice = parameter.choice
    wanted = dataclasses.replace(choice.tensor, dtype=width)
    known = [index for index, each in enumerate(parameter.choices) if each and each.tensor == wanted]
    if not known:
        parameter.choices.append(dataclasses.replace(choice, tensor=wanted))
    parameter.chosen = known[0] if known else len(parameter.choices) - 1


def alternatives(entry: Entry, name: str) -> list[tuple[object, int]]:
    """Other choices of the tensor called `name`, those with more dimensions last."""
    for parameter in entry.parameters:
        if parameter.alias == name and parameter.choice and parameter.choice.tensor:
            dtype = parameter.choice.tensor.dtype
            return [
                (parameter, index)
                for index, choice in enumerate(parameter.choices)
                if choice and choice.tensor and choice.tensor.dtype == dtype and index != parameter.chosen
            ]
    return []


def shape_in(tensor: Tensor, sizes: dict[str, int]) -> list[int]:
    """The sizes of a tensor as numbers."""
    return [_value(each, sizes) for each in tensor.dims]


def _value(size: str | int, sizes: dict[str, int]) -> int:
    if isinstance(size, int) or size in sizes:
        return size if isinstance(size, int) else sizes[size]
    functions = {"ceil_div": lambda a, b: -(-a // b)}
    return int(eval(size, functions, dict(sizes)))  # noqa: S307


def fit(values: list[int], cases: list[dict[str, int]], numbers: tuple[int, ...] = ()) -> str | int | None:
    """An expression over the sizes that has the value of each case; None where none is known. `numbers`: of the source,
    such as how far windows lie apart.
    """
    names = list(cases[0])
    #: Sizes that all change, and this one not: it follows none of them.
    varied = len(cases) > 1 and all(len({case[name] for case in cases}) > 1 for name in names)
    constant = values[0] if len(set(values)) == 1 else None
    forms: list[tuple[str | int, Callable[[dict[str, int]], int]]] = [(n, lambda c, n=n: c[n]) for n in names]
    forms += [("%s * %s" % (a, b), lambda c, a=a, b=b: c[a] * c[b]) for a in names for b in names if a < b]
    forms += [
        ("%s * %s * %s" % (a, b, d), lambda c, a=a, b=b, d=d: c[a] * c[b] * c[d])
        for a in names
        for b in names
        for d in names
        if a < b < d
    ]
    if varied and constant is not None:
        forms.append((constant, lambda c: constant))
    for k in (2, 3, 4):
        forms += [("%d * %s" % (k, n), lambda c, n=n, k=k: k * c[n]) for n in names]
        forms += [("%s // %d" % (n, k), lambda c, n=n, k=k: c[n] // k) for n in names]
    for k in (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536):
        forms += [("ceil_div(%s, %d)" % (n, k), lambda c, n=n, k=k: -(-c[n] // k)) for n in names]
    for k in (8, 16, 32, 64, 128, 256, 512):
        forms += [("%s // %d" % (n, k), lambda c, n=n, k=k: c[n] // k) for n in names]
    wholes = [form for form in forms if re.fullmatch(r"[A-Za-z_]\w*( \* \w+)+", str(form[0]))]
    for k in (2, 3, 4):
        forms += [("%d * %s" % (k, text), lambda c, of=of, k=k: k * of(c)) for text, of in wholes]
    for k in (2, 3, 4, 8, 16, 32, 64, 128, 256, 512):
        forms += [("%s // %d" % (text, k), lambda c, of=of, k=k: of(c) // k) for text, of in wholes]
    forms += [("%s + 1" % n, lambda c, n=n: c[n] + 1) for n in names]
    forms += [("%s - 1" % n, lambda c, n=n: c[n] - 1) for n in names]
    forms += [("%s + %s" % (a, b), lambda c, a=a, b=b: c[a] + c[b]) for a in names for b in names if a < b]
    forms += [
        ("%s - %s + 1" % (a, b), lambda c, a=a, b=b: c[a] - c[b] + 1) for a in names for b in names if a != b
    ]
    # Of first sizes one may be the product of two others; a square is seldom meant.
    squares = [("%s * %s" % (n, n), lambda c, n=n: c[n] * c[n]) for n in names]
    forms += squares
    for k in (2, 3, 4, 8, 16, 32, 64, 128, 256, 512):
        forms += [("%s // %d" % (text, k), lambda c, of=of, k=k: of(c) // k) for text, of in squares]
    for text, value in [*forms, *(_windows(names, numbers) if varied and constant is None else ())]:
        if all(value(case) == wanted for case, wanted in zip(cases, values)):
            return text
    return constant


def _windows(
    names: list[str], numbers: tuple[int, ...]
) -> Iterator[tuple[str, Callable[[dict[str, int]], int]]]:
    """How many windows of one size fit into another one, so far apart, with so much around it."""
    listed = [*names, *numbers]
    for whole, window, step in itertools.product(names, listed, listed):
        if whole in (window, step) or step == 1:
            continue
        for rim in (0, *(each for each in listed if each not in (whole, step))):
            inner = "%s - %s" % (whole, window) if rim == 0 else "%s + 2 * %s - %s" % (whole, rim, window)
            text = "(%s) // %s + 1" % (inner, step)
            yield text, lambda case, text=text: int(eval(text, {}, dict(case)))  # noqa: S307


def numbers_in(entry: Entry) -> tuple[int, ...]:
    """Whole numbers that a function has by default or names and that may be sizes, the smallest first."""
    return tuple(sorted(each for each in entry.numbers() if 1 < each <= _MOST_NUMBER)[:_MOST_KNOWN])
