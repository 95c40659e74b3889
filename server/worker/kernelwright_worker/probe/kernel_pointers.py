"""Which parameters of the other kernels of a file are pointers, read from what they load and store."""

from __future__ import annotations

import ast

_ACCESSES = ("load", "store", "atomic_")
#: Assignments that are followed from an address back to a parameter.
_DEPTH = 6


def kernel_pointers(tree: ast.Module) -> dict[str, tuple[list[str], set[str]]]:
    """By name of each function under a `jit` decorator: its parameters, and those that it takes addresses from."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("jit" in ast.unparse(d) for d in node.decorator_list):
            parameters = [each.arg for each in [*node.args.posonlyargs, *node.args.args]]
            found[node.name] = (parameters, _pointers(node, set(parameters)))
    return found


def _pointers(kernel: ast.FunctionDef, parameters: set[str]) -> set[str]:
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(kernel):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append(node.value)

    def base(address: ast.expr | None, depth: int) -> str | None:
        """The first parameter among the summands of an address: a pointer stands before its offsets."""
        if isinstance(address, ast.BinOp) and isinstance(address.op, (ast.Add, ast.Sub)):
            return base(address.left, depth) or base(address.right, depth)
        if isinstance(address, ast.Call) and ast.unparse(address.func).endswith("make_block_ptr"):
            named = [each.value for each in address.keywords if each.arg == "base"]
            return base(next(iter([*address.args, *named]), None), depth)
        if not isinstance(address, ast.Name) or depth == 0:
            return None
        if address.id in parameters:
            return address.id
        bases = (base(each, depth - 1) for each in values.get(address.id, []))
        return next((each for each in bases if each), None)

    accesses = (node for node in ast.walk(kernel) if isinstance(node, ast.Call) and node.args)
    bases = (
        base(node.args[0], _DEPTH)
        for node in accesses
        if isinstance(node.func, ast.Attribute) and node.func.attr.startswith(_ACCESSES)
    )
    return {each for each in bases if each}
