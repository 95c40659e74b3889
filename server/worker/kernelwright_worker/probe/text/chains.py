"""Functions that hand what one kernel makes on to the next: `lifted = lift(x)`, `return clamp(lifted)`. What
passes between the kernels is seen by calling such a function, and not by calling what it calls. So is what
torch does by elements around a launch: `return skip + 0.5 * gelu(x + bias)`.
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
    launching = _launching(function, functions)
    linked = _linked(function.node, launching)
    reached = {name for each in linked for name in launching[each]}
    return kernel in reached and len(reached) > 1


def _launching(function: Function, functions: list[Function]) -> dict[str, set[str]]:
    """Other functions of the file that launch one kernel without loops or products, with that kernel."""
    light = {
        each.name
        for each in functions
        if not any(
            isinstance(part, (ast.For, ast.While)) or _is_product(part) for part in ast.walk(each.node)
        )
    }
    return {
        each.name: kernels
        for each in functions
        if each.owner is None and each.outer is None and each.node is not function.node
        for kernels in [_launches(each)]
        if len(kernels) == 1 and kernels <= light
    }


#: What a function may call that does no more than torch's work by elements around a launch.
_BY_ELEMENTS = frozenset(
    "contiguous is_contiguous to float half bfloat16 view reshape size numel dim exp log sqrt rsqrt sigmoid tanh relu"
    " abs clamp minimum maximum where add mul sub div square".split()
)


def works_around(function: Function, functions: list[Function], kernel: str) -> bool:
    """Whether a function in a straight line returns what it makes by elements around one call of another one that
    launches the kernel.
    """
    launching = {name for name, kernels in _launching(function, functions).items() if kernel in kernels}
    body = function.node.body
    if not function.parameters or not launching:
        return False
    nodes = [part for statement in body for part in ast.walk(statement)]
    straight = not any(isinstance(node, (ast.For, ast.While, ast.If, ast.With, ast.Try)) for node in nodes)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    ours = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in launching]
    others = (call.func for call in calls if call not in ours)
    light = all(isinstance(func, ast.Attribute) and func.attr in _BY_ELEMENTS for func in others)
    works = [node for node in nodes if isinstance(node, ast.BinOp)]
    heavy = any(isinstance(node.op, (ast.MatMult, ast.FloorDiv, ast.Mod)) for node in works)
    returned = isinstance(body[-1], ast.Return) and body[-1].value is not None
    return straight and returned and len(ours) == 1 and light and bool(works) and not heavy


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
