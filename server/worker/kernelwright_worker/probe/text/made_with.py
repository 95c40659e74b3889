"""Attributes of an object that are tensors which its constructor was handed, or are made like them: `self.p = p`,
`self.m = torch.zeros_like(p)`. What a method asks of them it asks of the constructor's parameter.
"""

from __future__ import annotations

import ast
import copy

#: Methods that give the same tensor, or one of the same shape.
_KEEPING = set("contiguous to cuda detach clone float half bfloat16 requires_grad_".split())
_LIKE = set("zeros_like empty_like ones_like rand_like randn_like Parameter".split())


def attributes_of(owner: ast.ClassDef) -> dict[str, str]:
    """The parameter of the constructor that each attribute of an object stands for."""
    made = next(
        (each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None
    )
    if made is None:
        return {}
    parameters = {each.arg for each in [*made.args.args[1:], *made.args.kwonlyargs]}
    found: dict[str, str] = {}
    given: list[str] = []
    for node in (each for method in owner.body for each in ast.walk(method)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else []:
            name = _own(target)
            if name is not None and node.value is not None:
                given.append(name)
                parameter = _source(node.value)
                if parameter in parameters:
                    found[name] = parameter
    return {name: parameter for name, parameter in found.items() if given.count(name) == 1}


def with_parameters(method: ast.FunctionDef, attributes: dict[str, str]) -> ast.FunctionDef:
    """A method that speaks of the constructor's parameters instead of the attributes."""
    own = {each.id for each in ast.walk(method) if isinstance(each, ast.Name)}
    own |= {each.arg for each in ast.walk(method) if isinstance(each, ast.arg)}
    kept = {name: parameter for name, parameter in attributes.items() if parameter not in own}

    class Named(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
            name = _own(node)
            if name in kept and isinstance(node.ctx, ast.Load):
                return ast.copy_location(ast.Name(kept[name], ast.Load()), node)
            return self.generic_visit(node)

    return Named().visit(copy.deepcopy(method)) if kept else method


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
