"""Which parameters of the kernels of a file are pointers, read from what they load and store, and whose values are
indices.
"""

from __future__ import annotations

import ast

_ACCESSES = ("load", "store", "atomic_")
#: What is as wide as a block.
_SPANS = {"arange", "zeros", "full"}
#: What gives places among values of any type: `argmax`, `argmin`.
_PLACES = "argm"
#: Assignments that are followed from an address back to a parameter.
_DEPTH = 6


def kernel_pointers(tree: ast.Module) -> dict[str, tuple[list[str], set[str]]]:
    """By name of each function under a `jit` decorator: its parameters, and those that it takes addresses from."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("jit" in ast.unparse(d) for d in node.decorator_list):
            parameters = [each.arg for each in [*node.args.posonlyargs, *node.args.args]]
            found[node.name] = (parameters, {name for name, _ in addressed(node, node)})
    return found


def kernel_indices(tree: ast.Module, kernel: str) -> set[str]:
    """Parameters of a kernel whose values, as they were loaded, are a part of other addresses."""
    node = next((e for e in ast.walk(tree) if isinstance(e, ast.FunctionDef) and e.name == kernel), None)
    if node is None:
        return set()
    parameters = {each.arg for each in [*node.args.posonlyargs, *node.args.args]}
    #: By name the parameters that it was loaded from, on its own or through other names.
    loaded: dict[str, set[str]] = {}
    found: set[str] = set()
    for _ in range(_DEPTH):
        for each in ast.walk(node):
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
                loaded.setdefault(each.targets[0].id, set()).update(
                    _loaded_in(each.value, loaded, parameters)
                )
            elif isinstance(each, ast.For) and isinstance(each.target, ast.Name):
                loaded.setdefault(each.target.id, set()).update(_loaded_in(each.iter, loaded, parameters))
            elif _is_access(each):
                found |= _named_in(each.args[0], loaded)
    return found


def kernel_spans(tree: ast.Module, kernel: str) -> set[str]:
    """Parameters of a kernel that say how wide a block is: `tl.arange(0, C)`, `tl.zeros([C, D], …)`."""
    node = next((e for e in ast.walk(tree) if isinstance(e, ast.FunctionDef) and e.name == kernel), None)
    found: set[str] = set()
    for each in ast.walk(node) if node is not None else ():
        called = ast.unparse(each.func).split(".")[-1] if isinstance(each, ast.Call) else ""
        if called not in _SPANS or len(each.args) < 1:
            continue
        widths = each.args[1:2] if called == "arange" else getattr(each.args[0], "elts", [])
        found |= {width.id for width in widths if isinstance(width, ast.Name)}
    return found


def whole_or_not(tree: ast.Module, kernel: str) -> dict[str, bool]:
    """By parameter of a kernel whether its values are whole numbers: indices are, and what a load replaces by a real
    number is not. What tells nothing of its values is left out.
    """
    node = next((e for e in ast.walk(tree) if isinstance(e, ast.FunctionDef) and e.name == kernel), None)
    if node is None:
        return {}
    parameters = {each.arg for each in [*node.args.posonlyargs, *node.args.args]}
    found = {}
    for each in ast.walk(node):
        if _is_access(each) and any(key.arg == "other" and _is_real(key.value) for key in each.keywords):
            found.update(dict.fromkeys(_loaded_in(each, {}, parameters), False))
    return {**found, **dict.fromkeys(kernel_indices(tree, kernel), True)}


def _is_real(value: ast.expr) -> bool:
    """Whether a value is spelled as a real number: `0.0`, `float("-inf")`, `-float("inf")`."""
    if isinstance(value, ast.UnaryOp):
        return _is_real(value.operand)
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) == "float"
    return isinstance(value, ast.Constant) and isinstance(value.value, float)


def _is_access(node: ast.AST) -> bool:
    called = node.func if isinstance(node, ast.Call) and node.args else None
    return isinstance(called, ast.Attribute) and called.attr.startswith(_ACCESSES)


def _named_in(value: ast.expr, loaded: dict[str, set[str]]) -> set[str]:
    names = (each.id for each in ast.walk(value) if isinstance(each, ast.Name))
    return set().union(*(loaded.get(name, set()) for name in names))


def _loaded_in(value: ast.expr, loaded: dict[str, set[str]], parameters: set[str]) -> set[str]:
    """What a value is loaded from; of a load within it the base of its address alone counts."""
    if _is_access(value):
        first = next(
            (e.id for e in ast.walk(value.args[0]) if isinstance(e, ast.Name) and e.id in parameters), None
        )
        return {first} if first else set()
    if isinstance(value, ast.Compare) or (isinstance(value, ast.Call) and _PLACES in ast.unparse(value.func)):
        return set()
    found = {value.id} & set(loaded) if isinstance(value, ast.Name) else set()
    inner = (
        _loaded_in(each, loaded, parameters)
        for each in ast.iter_child_nodes(value)
        if isinstance(each, ast.expr)
    )
    return set().union(*(loaded[name] for name in found), *inner)


def addressed(part: ast.AST, kernel: ast.FunctionDef) -> list[tuple[str, ast.Call]]:
    """The loads, stores and atomics in a part of a kernel, each with the parameter that its address is of."""
    parameters = {each.arg for each in [*kernel.args.posonlyargs, *kernel.args.args]}
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

    accesses = [each for each in ast.walk(part) if _is_access(each)]
    bases = [(base(each.args[0], _DEPTH), each) for each in accesses]
    return [(name, each) for name, each in bases if name]
