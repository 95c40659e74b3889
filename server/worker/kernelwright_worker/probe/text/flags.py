"""Tensors of which a kernel asks no more than whether their elements are zero: flags, and masks in memory; and
parameters of which host code asks no more than whether they are set.
"""

from __future__ import annotations

import ast

from .kernel_pointers import addressed


def kernel_flags(tree: ast.Module, kernel: str) -> set[str]:
    """Parameters whose loaded values are compared with 0 or 1 alone: `if tl.load(valid + row) == 0`."""
    node = next((e for e in ast.walk(tree) if isinstance(e, ast.FunctionDef) and e.name == kernel), None)
    if node is None:
        return set()
    around = {child: parent for parent in ast.walk(node) for child in ast.iter_child_nodes(parent)}
    asked: dict[str, list[bool]] = {}
    for base, call in addressed(node, node):
        if call.func.attr == "load":
            asked.setdefault(base, []).append(_is_asked(call, around, node))
        else:
            asked.setdefault(base, []).append(False)
    return {name for name, each in asked.items() if all(each)}


def switches(function: ast.FunctionDef) -> set[str]:
    """Parameters that stand in conditions alone: `if bias:`, `not causal`, `x if training else y`."""
    conditions: set[ast.AST] = set()
    for each in ast.walk(function):
        if isinstance(each, (ast.If, ast.IfExp, ast.Assert)):
            conditions.add(each.test)
        if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not):
            conditions.add(each.operand)
        if isinstance(each, ast.BoolOp):
            conditions.update(each.values)
    uses = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
    asked = {each.id for each in uses if each in conditions}
    return asked - {each.id for each in uses if each not in conditions}


def _is_asked(value: ast.expr, around: dict[ast.AST, ast.AST], kernel: ast.FunctionDef) -> bool:
    parent = around.get(value)
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0].id
        uses = [
            each
            for each in ast.walk(kernel)
            if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
        ]
        return bool(uses) and all(_is_question(each, around) for each in uses)
    return _is_question(value, around)


def _is_question(value: ast.expr, around: dict[ast.AST, ast.AST]) -> bool:
    """Whether nothing is done with a value but to compare it, or to take it for a condition."""
    parent = around.get(value)
    if isinstance(parent, ast.Attribute) and parent.attr == "to":
        call = around.get(parent)
        return isinstance(call, ast.Call) and [ast.unparse(each) for each in call.args] == ["tl.int1"]
    if isinstance(parent, ast.Compare):
        sides = [each for each in (parent.left, *parent.comparators) if each is not value]
        return all(isinstance(each, ast.Constant) and each.value in (0, 1) for each in sides)
    return isinstance(parent, ast.If) and parent.test is value
