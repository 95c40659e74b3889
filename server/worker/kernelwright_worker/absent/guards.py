"""What the text of a file says of its imports: what it imports at a line, and whether it does without."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Iterator

#: What a missing module raises, and what that is.
_CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def is_guarded(file: str, line: int) -> bool:
    """Whether a file handles a missing module at a line: by an `except` that does not raise again, or by
    `contextlib.suppress`.
    """
    return any(first <= line <= last for first, last in _guarded(file))


def modules_at(file: str, line: int) -> list[str]:
    """The modules that the statement at a line imports by absolute names."""
    tree = _tree(file)
    found: list[str] = []
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        if not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif node.level == 0 and node.module:
            found.append(node.module)
    return found


def is_alone(file: str) -> bool:
    """Whether a file is there and may be a module in no package: it imports nothing from beside it by dots."""
    if not os.path.isfile(file):
        return False
    tree = _tree(file)
    return tree is None or not any(isinstance(e, ast.ImportFrom) and e.level for e in ast.walk(tree))


@functools.lru_cache(maxsize=None)
def _guarded(file: str) -> list[tuple[int, int]]:
    """First and last lines of the statements that do without what they import."""
    tree = _tree(file)
    return [] if tree is None else list(_spans(tree, False))


def _spans(node: ast.AST, guarded: bool) -> Iterator[tuple[int, int]]:
    if guarded and isinstance(node, ast.stmt) and not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        # Of a statement that holds others its head alone.
        within = getattr(node, "body", None)
        yield node.lineno, within[0].lineno - 1 if within else node.end_lineno or node.lineno
    # What a function does is done where it is called.
    inside = guarded and not isinstance(node, _FUNCTIONS)
    body = getattr(node, "body", []) if _handles(node) else []
    for child in ast.iter_child_nodes(node):
        yield from _spans(child, inside or child in body)


def _handles(node: ast.AST) -> bool:
    if isinstance(node, ast.Try):
        return any(_catches(each) for each in node.handlers)
    if isinstance(node, ast.With):
        items = " ".join(ast.unparse(each) for each in node.items)
        return "suppress(" in items and any(name in items for name in _CAUGHT)
    return False


def _catches(handler: ast.ExceptHandler) -> bool:
    if isinstance(handler.body[-1], ast.Raise):
        return False
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(ast.unparse(kind).split(".")[-1] in _CAUGHT for kind in kinds)


@functools.lru_cache(maxsize=None)
def _tree(file: str) -> ast.Module | None:
    try:
        with open(file, encoding="utf-8") as source:
            return ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return None
