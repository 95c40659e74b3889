"""Attributes of an object that its constructor was handed, that are tensors made like them, or are computed from them:
`self.p = p`, `self.m = torch.zeros_like(p)`, `self.width = dim // heads`. What a method asks of them it asks of the
constructor's parameters.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

#: Methods that give the same tensor, or one of the same shape.
_KEEPING = set("contiguous to cuda detach clone float half bfloat16 requires_grad_".split())
_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)
_LIKE = set("zeros_like empty_like ones_like rand_like randn_like Parameter".split())


def attributes_of(owner: ast.ClassDef) -> dict[str, ast.expr]:
    """The parameter of the constructor that each attribute of an object stands for, or what is computed of them."""
    made = next(
        (each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None
    )
    if made is None:
        return {}
    parameters = {each.arg for each in [*made.args.args[1:], *made.args.kwonlyargs]}
    sizes = _sizes(made)
    found: dict[str, ast.expr] = {}
    given: list[str] = []
    for target, value in (pair for method in owner.body for pair in _assigned(method)):
        name = _own(target)
        if name is not None:
            given.append(name)
            value = with_attributes(value, found)
            parameter = _source(value)
            if parameter in parameters:
                found[name] = ast.Name(parameter, ast.Load())
            elif _is_computed(value, parameters | sizes):
                found[name] = value
    return {name: value for name, value in found.items() if given.count(name) == 1}


def _sizes(made: ast.FunctionDef) -> set[str]:
    """The names that a constructor gives to the sizes of its tensors: `rows, columns = x.shape`."""
    return {
        each.id
        for target, value in _assigned(made)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Attribute) and value.attr == "shape"
        for each in target.elts
        if isinstance(each, ast.Name)
    }


def _assigned(method: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is assigned, with its value; of `a, b = c, d` each by itself."""
    for node in ast.walk(method):
        if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or node.value is None:
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            are_several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
            if are_several and len(target.elts) == len(node.value.elts):
                yield from zip(target.elts, node.value.elts)
            else:
                yield target, node.value


def _is_computed(value: ast.expr, parameters: set[str]) -> bool:
    """Whether a value is a whole number that follows from parameters: `dim // heads`."""
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, _WHOLE) and all(
            _is_computed(each, parameters) or type(getattr(each, "value", None)) is int
            for each in (value.left, value.right)
        )
    return isinstance(value, ast.Name) and value.id in parameters


def names_in(value: ast.expr) -> list[str]:
    """The names in an expression."""
    return [each.id for each in ast.walk(value) if isinstance(each, ast.Name)]


def with_parameters(method: ast.FunctionDef, attributes: dict[str, ast.expr]) -> ast.FunctionDef:
    """A method that speaks of the constructor's parameters instead of the attributes."""
    own = {each.id for each in ast.walk(method) if isinstance(each, ast.Name)}
    own |= {each.arg for each in ast.walk(method) if isinstance(each, ast.arg)}
    kept = {name: value for name, value in attributes.items() if not own & set(names_in(value))}

    return with_attributes(method, kept) if kept else method


def with_attributes(node: ast.AST, known: dict[str, ast.expr]) -> ast.AST:
    """The same with what attributes of the object stand for."""

    class Named(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
            name = _own(node)
            if name in known and isinstance(node.ctx, ast.Load):
                return ast.copy_location(copy.deepcopy(known[name]), node)
            return self.generic_visit(node)

    return Named().visit(copy.deepcopy(node))


def _own(node: ast.expr | None) -> str | None:
    """`name` of `self.name`."""
    is_own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return node.attr if is_own else None


def _source(value: ast.expr) -> str | None:
    """The tensor whose shape a value has."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr in _LIKE and value.args:
            value = value.args[0]
        elif value.func.attr in _KEEPING:
            value = value.func.value
        else:
            return None
    return value.id if isinstance(value, ast.Name) else None
