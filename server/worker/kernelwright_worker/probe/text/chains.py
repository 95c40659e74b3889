"""Functions that hand what one kernel makes on to the next: `lifted = lift(x)`, `return clamp(lifted)`. What
passes between the kernels is seen by calling such a function, and not by calling what it calls.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .launched import bound_names, launched_kernels

if TYPE_CHECKING:
    from .hints import Function


def is_chain(function: Function, functions: list[Function], kernel: str) -> bool:
    """Whether a function calls others of the file that launch a kernel each, this one among them, and hands
    the result of one on to the next. Kernels with loops or products are judged by themselves.
    """
    if not function.parameters:
        return False
    light = {
        each.name
        for each in functions
        if not any(
            isinstance(part, (ast.For, ast.While)) or _is_product(part) for part in ast.walk(each.node)
        )
    }
    launching = {
        each.name: kernels
        for each in functions
        if each.owner is None and each.outer is None and each.node is not function.node
        for kernels in [_launches(each)]
        if len(kernels) == 1 and kernels <= light
    }
    linked = _linked(function.node, launching)
    reached = {name for each in linked for name in launching[each]}
    return kernel in reached and len(reached) > 1


def _is_product(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "dot"


def _launches(function: Function) -> set[str]:
    """The kernels that a function launches."""
    bound = bound_names(function.node)
    calls = (node for node in ast.walk(function.node) if isinstance(node, ast.Call))
    found = (kernel for call in calls for kernel in launched_kernels(call.func, bound))
    return {each.id for each in found if isinstance(each, ast.Name)}


def _linked(function: ast.FunctionDef, launching: dict[str, set[str]]) -> set[str]:
    """The functions of which one is handed what another gives back."""
    made: dict[str, str] = {}
    linked: set[str] = set()

    def caller(node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            return made.get(node.id)
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        return node.func.id if is_call and node.func.id in launching else None

    for statement in sorted(
        (each for each in ast.walk(function) if isinstance(each, ast.stmt)), key=lambda each: each.lineno
    ):
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            callee = caller(call)
            for given in call.args if callee else []:
                before = caller(given)
                linked |= {callee, before} if before else set()
        if isinstance(statement, ast.Assign):
            given_by = caller(statement.value)
            for target in (each for each in statement.targets if isinstance(each, ast.Name)):
                made.pop(target.id, None)
                if given_by:
                    made[target.id] = given_by
    return linked
