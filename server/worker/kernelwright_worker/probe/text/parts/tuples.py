"""Parameters that are lists of tuples of tensors, `for p, g in pairs`, and lists of counts, `sum(counts) == tokens`. A
text that is read for hints speaks of the parts of a first tuple instead.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..reading import is_asked_as_tensor
from ..unpacked import Parts

#: How many tuples a list has.
_LENGTH = 2
_LIST = r"(?:\w+\.)*(?:list|sequence|iterable|tuple)"
_ANNOTATION = re.compile(
    _LIST + r"\[(?:\w+\.)*tuple\[((?:\w+\.)*tensor(?:, (?:\w+\.)*tensor)+)\](?:, \.\.\.)?\]", re.I
)
_PLAIN = re.compile(_LIST, re.I)
#: What whole numbers of a list are asked for together, and no tensors are.
_OF_NUMBERS = {"sum", "max", "min"}


def take_tuples_apart(tree: ast.Module) -> dict[ast.FunctionDef, dict[str, Parts]]:
    """Puts the parts of a first tuple in the places of those that a loop gives; says of lists of counts what they are."""
    found: dict[ast.FunctionDef, dict[str, Parts]] = {}
    for node in [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]:
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        taken = {each.arg for each in given}
        for each in given:
            words = ast.unparse(each.annotation).strip("'\"") if each.annotation else ""
            names = _tuple(node, each.arg, words)
            if not names and (not words or _PLAIN.fullmatch(words)) and _is_counted(node, each.arg):
                each.annotation = ast.copy_location(ast.parse("list[int]", mode="eval").body, each)
            if not names or {"%s_%d" % (name, at) for name in names for at in range(_LENGTH)} & taken:
                continue
            members = {"%s_%d" % (name, at): "" for at in range(_LENGTH) for name in names}
            form = "[%s]" % ", ".join(["(%s)" % ", ".join(["%s"] * len(names))] * _LENGTH)
            found.setdefault(node, {})[each.arg] = Parts(form, members, kinds=len(names))
            visitor = _First({name: name + "_0" for name in names}, each.arg, names)
            node.body = [visitor.visit(part) for part in node.body]
    return found


def _tuple(node: ast.FunctionDef, name: str, words: str) -> list[str]:
    """Names for the parts of each tuple in a list; none for what is no such list."""
    annotated = _ANNOTATION.fullmatch(words)
    if not annotated and words and not _PLAIN.fullmatch(words):
        return []
    for target in _targets(node, name):
        names = [each.id for each in target.elts if isinstance(each, ast.Name) and each.id != "_"]
        is_whole = len(names) == len(target.elts)
        if is_whole and (annotated or any(is_asked_as_tensor(node, each) for each in names)):
            return names
    count = annotated.group(1).count(",") + 1 if annotated else 0
    return ["%s_%s" % (name, "abcdefgh"[at]) for at in range(min(count, 8))]


def _targets(node: ast.FunctionDef, name: str) -> Iterator[ast.Tuple]:
    """The tuples of variables that elements of a list are taken apart into."""
    for each in ast.walk(node):
        if isinstance(each, (ast.For, ast.comprehension)):
            target, over = each.target, each.iter
            is_counted = isinstance(over, ast.Call) and ast.unparse(over.func) == "enumerate" and over.args
            if is_counted and isinstance(target, ast.Tuple) and len(target.elts) == 2:
                target, over = target.elts[1], over.args[0]
            if isinstance(target, ast.Tuple) and ast.unparse(over) == name:
                yield target
        elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Tuple):
            of = each.value
            if isinstance(of, ast.Subscript) and ast.unparse(of.value) == name:
                yield each.targets[0]


def _is_counted(node: ast.FunctionDef, name: str) -> bool:
    """Whether a function adds up or compares all elements of what has a length, and asks it nothing else."""
    asked = [
        ast.unparse(each.func)
        for each in ast.walk(node)
        if isinstance(each, ast.Call) and [ast.unparse(of) for of in each.args] == [name]
    ]
    is_attributed = any(
        isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == name
        for each in ast.walk(node)
    )
    return bool(_OF_NUMBERS & set(asked)) and "len" in asked and not is_attributed


class _First(ast.NodeTransformer):
    """Names of the first tuple's parts in the places of any tuple's."""

    def __init__(self, names: dict[str, str], of: str, parts: list[str]) -> None:
        self._names, self._of, self._parts = names, of, parts

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = self._names.get(node.id)
        return node if name is None else ast.copy_location(ast.Name(name, node.ctx), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        of, place = node.value, node.slice
        is_part = isinstance(of, ast.Subscript) and ast.unparse(of.value) == self._of
        if is_part and isinstance(place, ast.Constant) and type(place.value) is int:
            if place.value < len(self._parts):
                name = self._parts[place.value] + "_0"
                return ast.copy_location(ast.Name(name, node.ctx), node)
        return self.generic_visit(node)
