"""Which kernels a call of host code may launch, also where the kernel, or the kernel with its grid, stands in a
variable or is chosen: `run = kernel[grid]; run(x)`, `(fast if wide else slow)[grid](x)`.
"""

from __future__ import annotations

import ast
import collections

#: A variable that is given a variable that is given another one, and so on.
_MOST_STEPS = 4

#: What each local variable of a function is given, in any of its branches.
Bound = dict[str, list[ast.expr]]


def bound_names(function: ast.FunctionDef) -> Bound:
    """What the variables of a function are given by plain assignments."""
    found: Bound = collections.defaultdict(list)
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        is_given = isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None
        for target in targets if is_given else []:
            if isinstance(target, ast.Name):
                found[target.id].append(node.value)
    return found


def launched_kernels(called: ast.expr, bound: Bound) -> list[ast.Name | ast.Attribute]:
    """The names under which a call's function may launch a kernel; none where it is no launch."""
    launches = [each for each in _meant(called, bound) if isinstance(each, ast.Subscript)]
    kernels = [kernel for each in launches for kernel in _meant(each.value, bound)]
    return [each for each in kernels if isinstance(each, (ast.Name, ast.Attribute))]


def _meant(node: ast.expr, bound: Bound, steps: int = _MOST_STEPS) -> list[ast.expr]:
    if isinstance(node, ast.IfExp):
        return [*_meant(node.body, bound, steps), *_meant(node.orelse, bound, steps)]
    if isinstance(node, ast.Name) and node.id in bound and steps > 0:
        return [each for value in bound[node.id] for each in _meant(value, bound, steps - 1)]
    return [node]
