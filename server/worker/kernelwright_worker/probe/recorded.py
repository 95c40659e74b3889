"""A call that a program has made of host code, as an entry whose sizes may be others."""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Callable, Iterator

from .values.choices import Choice, Tensor
from .values.parameters import Parameter
from .entries import Entry
from .search import shape_in
from .text.reading import Hint

#: Sizes up to this one that no name of the source stands for are counts of what there always is so many of.
_MOST_COUNT = 4
#: Elements of the largest tensor of a first run on the virtual GPU.
_FIRST_ELEMENTS = 2**17


@dataclasses.dataclass(frozen=True)
class Naming:
    """How the numbers of a call are told from each other."""

    #: Sizes with names of their own in the source are different ones, also where their values are equal.
    said: bool
    #: A size that is half or twice another one follows it.
    halves: bool
    #: Counts of a few that are equal to a size with a name are that size.
    counts: bool


_NAMINGS = (
    Naming(said=True, halves=False, counts=True),
    Naming(said=True, halves=False, counts=False),
    Naming(said=True, halves=True, counts=False),
    Naming(said=False, halves=False, counts=False),
    Naming(said=False, halves=True, counts=False),
)


class RecordedCall:
    """`call`: an expression; `numbers`: name → whole number; `inputs`: list of {`name`, `dtype`, `shape`, `values`}."""

    def __init__(self, recorded: dict) -> None:
        self._recorded = recorded
        self._call = _call_in(recorded["call"])
        self.values: dict[str, dict] = {each["name"]: each["values"] for each in recorded["inputs"]}

    def entry(
        self, entry: Entry, hints: dict[str, Hint], runs: Callable[[Entry, bool], bool]
    ) -> Entry | None:
        """The entry with what the program handed to it as the only choices: of the ways to name its sizes the first
        that runs with others too, else the first that runs. `runs`: whether it does, the flag asks for other sizes.
        None where it is no call of this entry, or none that is fit for other sizes.
        """
        if any(each["kind"] == "other" for each in self.values.values()):
            return None
        best = None
        for version in self._versions(entry, hints):
            if not runs(version, False):
                continue
            if runs(version, True):
                return version
            best = best or version
        return best

    def bounds(self, entry: Entry) -> dict[str, str]:
        """What the values of whole numbers stay below: the size that comes next, where there is one."""
        found = {}
        sizes = entry.stated or entry.base
        for name, values in self.values.items():
            if values["kind"] != "range":
                continue
            above = values["high"] + 1
            next_up = min((each for each in sizes.values() if each >= above), default=None)
            names = [size for size, each in sizes.items() if each == next_up]
            found[name] = names[0] if names else str(above)
        return found

    def _versions(self, entry: Entry, hints: dict[str, Hint]) -> Iterator[Entry]:
        """One for each way to name the sizes."""
        has_parts = any(each.part_of for each in entry.calling)
        if self._call is None or entry.backward or has_parts:
            return
        made = _making(entry, self._call)
        given = None if made is None else _bound(entry.calling, self._call)
        if given is None:
            return
        seen: list[tuple[dict[str, int], list[Parameter]]] = []
        # What a module is made with is often a half or the double of what it is given.
        for naming in sorted(_NAMINGS, key=lambda each: not each.halves) if made else _NAMINGS:
            sizes = _Sizes(naming, self._said(given, hints))
            reading = _Reading(self._recorded, hints, sizes)
            making = [reading.making(each, made.get(each.name)) for each in entry.making]
            # A size with a name of its own may stand first in a later argument.
            for name, node in given.items():
                reading.name_said(name, node)
            calling = [reading.parameter(each, given.get(each.name)) for each in entry.calling]
            if None in [*making, *calling] or (sizes.values, calling) in seen:
                continue
            seen.append((sizes.values, calling))
            version = dataclasses.replace(entry, making=making, calling=calling, state=[], gradients=[])
            base = _affordable(version, sizes.values)
            stated = sizes.values if base != sizes.values else {}
            yield dataclasses.replace(version, base=base, stated=stated)

    def _said(self, given: dict[str, ast.expr], hints: dict[str, Hint]) -> dict[str, int]:
        """The sizes of the call's tensors that have names in the source."""
        shapes = {each["name"]: each["shape"] for each in self._recorded["inputs"]}
        found: dict[str, int] = {}
        for parameter, node in given.items():
            seen = _seen_tensor(node)
            shape = shapes.get(seen.name, []) if seen else []
            for said, axis in zip(hints.get(parameter, Hint()).dims, seen.order(shape) if seen else ()):
                if said is not None and said.isidentifier():
                    found.setdefault(said, shape[axis])
        return found


def _affordable(entry: Entry, sizes: dict[str, int]) -> dict[str, int]:
    """The sizes, or smaller ones with which no tensor has more elements than a first run should have."""
    found = dict(sizes)
    tensors = [choice.tensor for choice in entry.tensors().values()]
    while found and max(math.prod(shape_in(each, found)) for each in tensors) > _FIRST_ELEMENTS:
        largest = max(found, key=found.__getitem__)
        if found[largest] < 2 * _MOST_COUNT:
            break
        found[largest] //= 2
    return found


def _call_in(text: str) -> ast.Call | None:
    """The call of host code in an expression that may pick from its results."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "results":
        node = node.args[0]
    return node if isinstance(node, ast.Call) else None


def _making(entry: Entry, call: ast.Call) -> dict[str, ast.expr] | None:
    """What a call of the entry makes its module with, by parameter, nothing where it is of none; None for another
    call.
    """
    if not entry.module:
        is_own = not entry.making and ast.unparse(call.func) == entry.head
        return {} if is_own else None
    made = call.func
    # Its parameters and buffers are found anew, for each size.
    if isinstance(made, ast.Call) and ast.unparse(made.func) == "with_parameters":
        made = made.args[0]
    if not isinstance(made, ast.Call) or ast.unparse(made.func) != entry.head.partition("(")[0]:
        return None
    return _bound(entry.making, made)


def _bound(parameters: list[Parameter], call: ast.Call) -> dict[str, ast.expr] | None:
    """The arguments by parameter; None where there is one for none of them."""
    given = {parameter.name: node for parameter, node in zip(parameters, call.args)}
    given |= {each.arg: each.value for each in call.keywords if each.arg}
    count = len(call.args) + len(call.keywords)
    names = {each.name for each in parameters}
    return given if len(given) == count and set(given) <= names else None


@dataclasses.dataclass(frozen=True)
class _Seen:
    """A tensor of a recorded call, by its name, as the call sees it."""

    name: str
    #: The axis of the memory behind each axis that the call sees; empty where they are the same.
    axes: tuple[int, ...] = ()

    def order(self, shape: list[int]) -> tuple[int, ...]:
        """The axes of memory of such a shape in the order in which the call sees them."""
        return self.axes or tuple(range(len(shape)))

    @property
    def view(self) -> str:
        """What makes the call's tensor of the memory, as text."""
        return ".permute(%s)" % ", ".join(map(str, self.axes)) if self.axes else ""


def _seen_tensor(node: ast.expr | None) -> _Seen | None:
    """`x` and `x.permute(1, 0)`."""
    if isinstance(node, ast.Name):
        return _Seen(node.id)
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    if not is_call or node.func.attr != "permute" or not isinstance(node.func.value, ast.Name):
        return None
    return _Seen(node.func.value.id, tuple(ast.literal_eval(each) for each in node.args))


class _Sizes:
    """The numbers of a call by the names that they get."""

    def __init__(self, naming: Naming, said: dict[str, int]) -> None:
        """`said`: the sizes with names in the source."""
        self._naming = naming
        self._said = said
        self.values: dict[str, int] = {}

    def of(self, value: int, said: str | None, spare: str) -> str | int:
        """A size as an expression of names. `said`: its name in the source; `spare`: one that nothing else has."""
        if said is None and value <= _MOST_COUNT:
            named = [name for name, each in self._said.items() if each == value and value > 1]
            return named[0] if named and self._naming.counts else value
        if value <= 1:
            return value
        if said is not None and self.values.get(said) == value:
            return said
        is_own = said is not None and said not in self.values and self._naming.said
        known = None if is_own else self._known(value)
        if known is not None:
            return known
        name = said if said is not None and said not in self.values else spare
        self.values[name] = value
        return name

    def number(self, value: int) -> str | int:
        """A whole number that is an argument: the size that it is, or itself."""
        same = [name for name, each in self.values.items() if each == value]
        return same[0] if value > _MOST_COUNT and same else value

    def _known(self, value: int) -> str | None:
        """An expression over the names so far that has this value."""
        forms: list[tuple[str, int]] = list(self.values.items())
        forms += [
            ("%s * %s" % (one, other), self.values[one] * self.values[other])
            for one in self.values
            for other in self.values
            if one < other
        ]
        if self._naming.halves:
            forms += [("%s // 2" % name, each // 2) for name, each in self.values.items() if each % 2 == 0]
            forms += [("2 * %s" % name, 2 * each) for name, each in self.values.items()]
        return next((text for text, each in forms if each == value), None)


class _Reading:
    """Makes parameters of the arguments of a recorded call."""

    def __init__(self, recorded: dict, hints: dict[str, Hint], sizes: _Sizes) -> None:
        self._inputs = {each["name"]: each for each in recorded["inputs"]}
        self._numbers: dict[str, int] = recorded["numbers"]
        self._hints = hints
        self._sizes = sizes

    def name_said(self, name: str, node: ast.expr) -> None:
        """Gives those sizes of a tensor their names for which the source has one."""
        seen = _seen_tensor(node)
        if seen is None or seen.name not in self._inputs:
            return
        shape = self._inputs[seen.name]["shape"]
        for axis, said in zip(seen.order(shape), self._said(name)):
            if said is not None and said not in self._sizes.values:
                self._sizes.of(shape[axis], said, said)

    def making(self, parameter: Parameter, node: ast.expr | None) -> Parameter | None:
        """As `parameter`, of one that a module is made with: its numbers are sizes with names of their own."""
        value = self._numbers.get(node.id, 0) if isinstance(node, ast.Name) else 0
        if value > _MOST_COUNT:
            self._sizes.of(value, parameter.name, parameter.name)
        return self.parameter(parameter, node)

    def parameter(self, parameter: Parameter, node: ast.expr | None) -> Parameter | None:
        """A parameter with its argument as the only choice; None for an argument that holds tensors within."""
        if node is None:
            is_left = parameter.choices[0] is None
            return dataclasses.replace(parameter, choices=[None], chosen=0) if is_left else None
        seen = _seen_tensor(node)
        if seen is not None and seen.name in self._inputs:
            choice = self._tensor(parameter, self._inputs[seen.name], seen)
        elif isinstance(node, ast.Name) and node.id in self._numbers:
            choice = Choice(str(self._sizes.number(self._numbers[node.id])), origin="recorded")
        else:
            choice = self._plain(node)
        flat = {"flat": False, "flag": False}
        return choice and dataclasses.replace(parameter, choices=[choice], chosen=0, **flat)

    def _tensor(self, parameter: Parameter, given: dict, seen: _Seen) -> Choice:
        order = seen.order(given["shape"])
        said = [*self._said(parameter.name), *([None] * len(order))]
        named = {
            axis: self._sizes.of(
                given["shape"][axis], said[place], "%s_%d" % (parameter.alias.lower(), place)
            )
            for place, axis in enumerate(order)
        }
        dims = tuple(named[axis] for axis in range(len(order)))
        return Choice("?", Tensor(given["dtype"], dims), "recorded", seen.view)

    def _said(self, name: str) -> list[str | None]:
        """The names of a parameter's dimensions, in the order in which the call sees them."""
        dims = self._hints.get(name, Hint()).dims
        return [each if each and each.isidentifier() else None for each in dims]

    def _plain(self, node: ast.expr) -> Choice | None:
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        if names & set(self._inputs):
            return None
        return Choice(ast.unparse(_Literal(self._numbers).visit(node)), origin="recorded")


class _Literal(ast.NodeTransformer):
    """Puts numbers in the place of their names, and a truth in the place of `bool(1)`."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self._numbers[node.id]) if node.id in self._numbers else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        is_truth = ast.unparse(node.func) == "bool" and isinstance(node.args[0], ast.Constant)
        return ast.Constant(bool(node.args[0].value)) if is_truth else node
