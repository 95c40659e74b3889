"""What host code asks of its sizes, or raises without: `assert heads % groups == 0`, `if dim > 512: raise …`,
`assert width in (64, 128)`.
"""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Callable, Iterator

_TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_NEGATED = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
#: Values that are looked at for the next one that suits.
_MOST_STEPS = 4096
#: Numbers whose divisors are listed.
_MOST_WHOLE = 1024


@dataclasses.dataclass(frozen=True)
class Rules:
    """What host code asks of its sizes, by their names."""

    #: Numbers that sizes are multiples of.
    multiples: dict[str, int] = dataclasses.field(default_factory=dict)
    #: Sizes that are multiples of another size.
    divided: tuple[tuple[str, str], ...] = ()
    #: Sizes that have one of these values.
    values: dict[str, tuple[int, ...]] = dataclasses.field(default_factory=dict)
    #: Sizes that are powers of two.
    powers: frozenset[str] = frozenset()
    least: dict[str, int] = dataclasses.field(default_factory=dict)
    most: dict[str, int] = dataclasses.field(default_factory=dict)

    def allow(self, name: str, value: int) -> bool:
        """Whether a size may have a value."""
        return (
            value % self.multiples.get(name, 1) == 0
            and value in self.values.get(name, (value,))
            and (name not in self.powers or value & (value - 1) == 0)
            and self.least.get(name, 1) <= value <= self.most.get(name, value)
        )

    def nearest(self, name: str, value: int) -> int:
        """The allowed value that is nearest to a wanted one; the wanted one where there is none."""
        if name in self.values:
            return min(self.values[name], key=lambda each: abs(each - value))
        within = max(value, self.least.get(name, 1))
        within = min(within, self.most.get(name, within))
        steps = (within + sign * step for step in range(_MOST_STEPS) for sign in (1, -1))
        return next((each for each in steps if each > 0 and self.allow(name, each)), value)

    def renamed(self, known: dict[str, str | int]) -> Rules:
        """The same where some sizes have other names, or are numbers."""
        name = lambda each: known.get(each, each)
        own = lambda table: {name(key): value for key, value in table.items() if isinstance(name(key), str)}
        rules = Rules(
            own(self.multiples),
            values=own(self.values),
            powers=frozenset(each for each in map(name, self.powers) if isinstance(each, str)),
            least=own(self.least),
            most=own(self.most),
        )
        for whole, part in ((name(whole), name(part)) for whole, part in self.divided):
            rules = rules.join(_divided(whole, part))
        return rules

    def join(self, other: Rules) -> Rules:
        """Both; of two numbers for a size the stricter one, as far as that can be told."""
        least = {**self.least, **other.least}
        most = {**self.most, **other.most}
        return Rules(
            {
                name: math.lcm(self.multiples.get(name, 1), other.multiples.get(name, 1))
                for name in {**self.multiples, **other.multiples}
            },
            tuple(dict.fromkeys((*self.divided, *other.divided))),
            {**other.values, **self.values},
            self.powers | other.powers,
            {name: max(value, self.least.get(name, value)) for name, value in least.items()},
            {name: min(value, self.most.get(name, value)) for name, value in most.items()},
        )


def _divided(whole: str | int, part: str | int) -> Rules:
    """That a size is a multiple of another one, either of which may be a number."""
    if isinstance(whole, str):
        if isinstance(part, str):
            return Rules(divided=((whole, part),)) if whole != part else Rules()
        return Rules(multiples={whole: part} if part > 1 else {})
    if isinstance(part, str) and 0 < whole <= _MOST_WHOLE:
        return Rules(values={part: tuple(each for each in range(1, whole + 1) if whole % each == 0)})
    return Rules()


@dataclasses.dataclass(frozen=True)
class Words:
    """What the expressions of a function mean."""

    #: The name of the size that an expression is; None for what is none.
    named: Callable[[ast.expr], str | None]
    #: Whole numbers that names stand for.
    constants: dict[str, int]

    def number(self, node: ast.expr) -> int | None:
        """The whole number that an expression is."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.Name):
            return self.constants.get(node.id)
        if isinstance(node, ast.BinOp):
            left, right = self.number(node.left), self.number(node.right)
            return None if left is None or right is None else _computed(node.op, left, right)
        return None

    def size(self, node: ast.expr) -> str | None:
        """The size that an expression is; no constant is one."""
        return self.named(node) if self.number(node) is None else None


def rules_of(function: ast.FunctionDef, words: Words) -> Rules:
    """What a function asserts, or raises without."""
    rules = Rules()
    for test, holds in conditions_of(function):
        for each in _facts(test, holds, words):
            rules = rules.join(each)
    return rules


def conditions_of(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, bool]]:
    """Conditions with whether they have to hold."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            yield node.test, True
        elif isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
            yield node.test, False
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("torch._check", "torch._assert"):
            yield from ((each, True) for each in node.args[:1])


def _facts(test: ast.expr, holds: bool, words: Words) -> Iterator[Rules]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _facts(test.operand, not holds, words)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == holds:
        for each in test.values:
            yield from _facts(each, holds, words)
    elif isinstance(test, ast.BoolOp):
        yield from _either([list(_facts(each, holds, words)) for each in test.values])
    elif isinstance(test, ast.Compare):
        if len(test.ops) > 1 and not holds:
            return
        sides = [test.left, *test.comparators]
        for operator, left, right in zip(test.ops, sides, sides[1:]):
            kind = type(operator) if holds else _NEGATED.get(type(operator))
            yield from _compared(left, kind, right, words)
    elif not holds:
        yield from _zero(test, words)


def _either(alternatives: list[list[Rules]]) -> Iterator[Rules]:
    """Alternatives that each give a value of the same size."""
    told = [rules[0].values for rules in alternatives if len(rules) == 1 and rules[0].values]
    names = {name for values in told for name in values}
    if len(told) == len(alternatives) and len(names) == 1:
        [name] = names
        yield Rules(values={name: tuple(sorted({each for values in told for each in values[name]}))})


def _compared(left: ast.expr, kind: type | None, right: ast.expr, words: Words) -> Iterator[Rules]:
    if kind is ast.In and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
        name, values = words.size(left), [words.number(each) for each in right.elts]
        if name and values and None not in values:
            yield Rules(values={name: tuple(sorted(values))})
        return
    number = words.number(right)
    if number is None and words.number(left) is not None:
        yield from _compared(right, _TURNED.get(kind, kind), left, words)
        return
    name = words.size(left)
    if kind is ast.Eq and number == 0:
        yield from _zero(left, words)
    elif name and number is None and kind is ast.Eq and _is_rounded(right, left):
        yield Rules(powers=frozenset([name]))
    elif name and number is not None and number > 0:
        if kind is ast.Eq:
            yield Rules(values={name: (number,)})
        elif kind in (ast.Lt, ast.LtE):
            yield Rules(most={name: number - (kind is ast.Lt)})
        elif kind in (ast.Gt, ast.GtE):
            yield Rules(least={name: number + (kind is ast.Gt)})


def _zero(test: ast.expr, words: Words) -> Iterator[Rules]:
    """What is known where an expression is zero: `a % 4`, `a % b`, `a & (a - 1)`, `a & 3`."""
    if not isinstance(test, ast.BinOp):
        return
    name, part, number = words.size(test.left), words.size(test.right), words.number(test.right)
    if name is None:
        return
    if isinstance(test.op, ast.Mod):
        if number is not None and number > 1:
            yield Rules(multiples={name: number})
        elif part is not None and part != name:
            yield Rules(divided=((name, part),))
    elif isinstance(test.op, ast.BitAnd):
        if ast.unparse(test.right).strip("()") == ast.unparse(test.left) + " - 1":
            yield Rules(powers=frozenset([name]))
        elif number is not None and number > 0 and number & (number + 1) == 0:
            yield Rules(multiples={name: number + 1})


def _is_rounded(call: ast.expr, size: ast.expr) -> bool:
    """Whether a call gives the next power of two of a size."""
    is_call = isinstance(call, ast.Call) and ast.unparse(call.func).endswith("next_power_of_2")
    return is_call and [ast.unparse(each) for each in call.args] == [ast.unparse(size)]


def _computed(operator: ast.operator, left: int, right: int) -> int | None:
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.FloorDiv) and right:
        return left // right
    if isinstance(operator, (ast.LShift, ast.Pow)) and 0 <= right < 64:
        return left << right if isinstance(operator, ast.LShift) else left**right
    return None


def constants_of(tree: ast.Module, function: ast.FunctionDef) -> dict[str, int]:
    """Whole numbers that a file, or the function itself, gives names to once."""
    found: dict[str, int] = {}
    twice: set[str] = set()
    words = Words(lambda _: None, found)
    for node in [*tree.body, *function.body]:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, words.number(node.value)
            twice |= {name} if name in found and found[name] != value else set()
            if value is not None:
                found[name] = value
    return {name: value for name, value in found.items() if name not in twice}
