"""The parameters of an entry, each with the values that are tried for it."""

from __future__ import annotations

import ast
import dataclasses
import re

from ..text.hints import Function
from ..text.reading import Hint
from .choices import (
    BLOCKS,
    FLOAT_NAMES,
    Choice,
    choices_of,
    flat_choices,
    named_size,
    shapes_in,
    shapes_of_numbers,
)
from .parts_of_sizes import ends_of_parts

#: Whole numbers that are no sizes.
_NO_SIZES = {"num_warps", "num_stages", "dim", "axis", "seed"}


@dataclasses.dataclass
class Parameter:
    """A parameter of an entry with what is tried for it; the first choice of None leaves it to its default."""

    name: str
    #: The name that its value has in the spec: its own, unless that is taken.
    alias: str
    keyword: bool
    choices: list[Choice | None]
    chosen: int = 0
    #: The parameter that this is a part of, its text with `%s` for the parts, and the field that this is.
    part_of: str = ""
    form: str = ""
    field: str = ""
    #: A tensor of which no more than its memory is known to be used.
    flat: bool = False
    #: A tensor of which nothing but whether its elements are zero is asked.
    flag: bool = False

    @property
    def choice(self) -> Choice | None:
        return self.choices[self.chosen]


def parameters_of(
    function: Function, hints: dict[str, Hint], skip: int, known: tuple[set[str], list[tuple[str, ...]]]
) -> list[Parameter]:
    """The parameters of a function with their choices; the first `skip` (self, ctx) are left out.
    `known`: names that are handed to the kernel as tensors, and shapes that are known from elsewhere.
    """
    pointers, further = known
    given = function.node.args
    positional = [*given.posonlyargs, *given.args]
    with_default = {each.arg for each in positional[len(positional) - len(given.defaults) :]}
    with_default |= {
        each.arg for each, value in zip(given.kwonlyargs, given.kw_defaults) if value is not None
    }
    needed = {name: hint for name, hint in hints.items() if name not in with_default}
    # What can be left out says least of how large the others are.
    optional = [shape for shape in shapes_in(hints) if shape not in shapes_in(needed)]
    sizes = [*shapes_in(needed), *optional, *further]
    # Strides are those of a shape: of such a tensor more counts than its memory.
    has_strides = any(hint.least_rank > 0 for hint in hints.values())
    numbers = _numbers(function, needed, pointers)
    ends = ends_of_parts(numbers)
    whole = [name for name in numbers if name not in ends]
    flat = [] if sizes or has_strides else shapes_of_numbers(whole)
    sizes = sizes or flat
    # A number that shapes are computed with.
    expressions = " ".join(size for shape in sizes for size in shape if isinstance(size, str) and " " in size)
    used = set(re.findall(r"[A-Za-z_]\w*", expressions))
    parts = function.parts
    fields = {name for made in parts.values() for name, field in made.members.items() if field}

    def parameter(each: ast.arg, **known: object) -> Parameter:
        hint = hints[each.arg]
        annotation = ast.unparse(each.annotation) if each.annotation else ""
        choices = choices_of(each.arg, hint, annotation, (sizes, pointers))
        if each.arg in with_default:
            choices = [None, *choices]
        if not hint.tensor and named_size(each.arg) in used:
            choices = [Choice(named_size(each.arg), origin="inferred"), *choices]
        end = ends.get(str(named_size(each.arg)))
        if end is not None and not hint.tensor:
            choices = [Choice(end), Choice("0"), *choices]
        made = Parameter(each.arg, each.arg, each in given.kwonlyargs, choices, flag=hint.flag, **known)
        if flat and choices[0] and choices[0].tensor:
            made.choices, made.flat = flat_choices(each.arg, hint, flat), True
        return made

    found = []
    by_name = {each.arg: each for each in given.kwonlyargs}
    for each in [*positional[skip:], *given.kwonlyargs]:
        if each.arg in fields:
            continue
        if each.arg in parts and each.arg not in with_default:
            whole = parts[each.arg]
            for part, field in whole.members.items():
                made = parameter(
                    by_name.get(part, ast.arg(part)), part_of=each.arg, form=whole.form, field=field
                )
                found.append(dataclasses.replace(made, keyword=each.arg in by_name))
            continue
        found.append(parameter(each))
    return found


def _numbers(function: Function, hints: dict[str, Hint], pointers: set[str]) -> list[str]:
    """Parameters that a function takes as whole numbers, as they are named in the spec."""
    found = []
    for each in [*function.node.args.posonlyargs, *function.node.args.args]:
        hint = hints.get(each.arg)
        annotation = ast.unparse(each.annotation) if each.annotation else ""
        is_whole = annotation == "int" or (hint is not None and hint.scalar and annotation == "")
        if hint is None or hint.tensor or each.arg in pointers or not is_whole or hint.words:
            continue
        if not (BLOCKS.search(each.arg) or FLOAT_NAMES.search(each.arg) or each.arg in _NO_SIZES):
            found.append(str(named_size(each.arg)))
    return found
