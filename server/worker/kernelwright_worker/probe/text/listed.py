"""Parameters that are lists of tensors: `for p, g in zip(params, grads)`, `tensors[0]`. A text that is read for hints
speaks of a first tensor instead, as if it were a parameter of its own.
"""

from __future__ import annotations

import ast
import re

from .reading import TENSOR_ATTRIBUTES, is_asked_as_tensor
from .unpacked import Parts

#: How many tensors a list has.
_LENGTH = 2
_ANNOTATION = re.compile(r"(?:\w+\.)*(?:list|sequence|iterable|tuple)\[(?:\w+\.)*tensor(?:, \.\.\.)?\]", re.I)
_THROUGH = {"zip", "enumerate", "reversed", "list", "tuple", "iter"}


def take_lists_apart(tree: ast.Module) -> dict[ast.FunctionDef, dict[str, Parts]]:
    """Puts a first tensor in the places of the elements of lists; gives the tensors by function and parameter. What
    an optimizer is made with is such a list, with a gradient for each.
    """
    found = {}
    for owner in [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]:
        is_optimizer = any(ast.unparse(each).endswith("Optimizer") for each in owner.bases)
        for node in owner.body if is_optimizer else []:
            if isinstance(node, ast.FunctionDef) and node.name == "__init__" and len(node.args.args) > 1:
                name = node.args.args[1].arg
                members = {"%s%s" % (each, end): "" for end in ("", "_gradient") for each in _members(name)}
                found[node] = {name: Parts("with_gradients(%s)", members, kinds=1)}
    for node in [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]:
        lists = _lists(node)
        if lists:
            made = {name: Parts("[%s]", _members(name), kinds=1) for name in lists}
            found[node] = {**made, **found.get(node, {})}
            node.body = [_Elements(lists).visit(each) for each in node.body]
    return found


def _members(name: str) -> dict[str, str]:
    return {"%s_%d" % (name, at): "" for at in range(_LENGTH)}


def _lists(node: ast.FunctionDef) -> list[str]:
    """The parameters that a function takes for lists of tensors: by annotation, or by what it asks of their elements."""
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    found = []
    for each in given:
        words = ast.unparse(each.annotation).strip("'\"") if each.annotation else ""
        is_open = not words and not _is_tensor(node, each.arg) and _has_tensors(node, each.arg)
        if _ANNOTATION.fullmatch(words) or is_open:
            found.append(each.arg)
    # What is gone through beside a list is one, too.
    free = [each.arg for each in given if not each.annotation and not _is_tensor(node, each.arg)]
    for each in ast.walk(node):
        if isinstance(each, (ast.For, ast.comprehension)):
            beside = [of for _, of in _pairs(each.target, each.iter)]
            found += [of for of in beside if of in free and of not in found and set(beside) & set(found)]
    return found


def _is_tensor(node: ast.FunctionDef, name: str) -> bool:
    return any(
        isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == name
        for each in ast.walk(node)
    )


def _has_tensors(node: ast.FunctionDef, name: str) -> bool:
    """Whether what a loop over it gives, or a number in brackets, is asked what only tensors have."""
    for each in ast.walk(node):
        if isinstance(each, (ast.For, ast.comprehension)):
            inside = each.body if isinstance(each, ast.For) else [node]
            named = [target for target, of in _pairs(each.target, each.iter) if of == name]
            if any(is_asked_as_tensor(part, target) for part in inside for target in named):
                return True
        if isinstance(each, ast.Attribute) and each.attr in TENSOR_ATTRIBUTES:
            if isinstance(each.value, ast.Subscript) and ast.unparse(each.value.value) == name:
                return True
    return False


def _pairs(target: ast.expr, over: ast.expr) -> list[tuple[str, str]]:
    """The variables of a loop, each with the name of what it is an element of."""
    if isinstance(over, ast.Call) and ast.unparse(over.func) in _THROUGH and over.args:
        called = ast.unparse(over.func)
        if called == "zip" and isinstance(target, ast.Tuple):
            return [pair for one, of in zip(target.elts, over.args) for pair in _pairs(one, of)]
        if called == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            return _pairs(target.elts[1], over.args[0])
        return _pairs(target, over.args[0]) if called not in ("zip", "enumerate") else []
    is_plain = isinstance(target, ast.Name) and isinstance(over, ast.Name)
    return [(target.id, over.id)] if is_plain else []


class _Elements(ast.NodeTransformer):
    """Names of first elements in the places of elements."""

    def __init__(self, lists: list[str]) -> None:
        self._lists = lists
        self._names: dict[str, str] = {}

    def visit_For(self, node: ast.For) -> ast.AST:
        self._note(node.target, node.iter)
        return self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._made(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._made(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in self._lists:
            if not isinstance(node.slice, ast.Slice):
                return ast.copy_location(ast.Name(node.value.id + "_0", node.ctx), node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = self._names.get(node.id)
        return node if name is None else ast.copy_location(ast.Name(name, node.ctx), node)

    def _made(self, node: ast.ListComp | ast.GeneratorExp) -> ast.AST:
        for each in node.generators:
            self._note(each.target, each.iter)
        return self.generic_visit(node)

    def _note(self, target: ast.expr, over: ast.expr) -> None:
        self._names.update({name: of + "_0" for name, of in _pairs(target, over) if of in self._lists})
