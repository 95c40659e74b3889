"""The definitions of a script: a file that also launches kernels, prints and times when it is imported."""

from __future__ import annotations

import ast

_KEPT = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.If, ast.Try),
)


def is_definition_at(text: str, line: int) -> bool:
    """Whether the statement of the module at a line defines something, rather than only do something."""
    statement = _statement_at(ast.parse(text), line)
    if statement is None:
        return True
    is_assigned = isinstance(statement, (ast.Assign, ast.AnnAssign))
    if is_assigned and any(isinstance(each, ast.Call) for each in ast.walk(statement)):
        # What a script has computed.
        return False
    return _is_definition(statement, set(), set())


def definitions_only(text: str, failed: set[int]) -> str:
    """The text without the statements that only do something and without those at the lines `failed`; each
    line stays where it was. What needs a name that such a statement would have made goes as well.
    """
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    missing: set[str] = set()
    for statement in tree.body:
        if _is_definition(statement, missing, failed):
            continue
        missing |= _bound(statement)
        for line in range(_first_line(statement) - 1, statement.end_lineno or statement.lineno):
            lines[line] = "\n"
    return "".join(lines)


def _statement_at(tree: ast.Module, line: int) -> ast.stmt | None:
    return next((each for each in tree.body if _first_line(each) <= line <= (each.end_lineno or line)), None)


def _first_line(statement: ast.stmt) -> int:
    decorators = [each.lineno for each in getattr(statement, "decorator_list", [])]
    return min([statement.lineno, *decorators])


def _is_definition(statement: ast.stmt, missing: set[str], failed: set[int]) -> bool:
    if any(_first_line(statement) <= line <= (statement.end_lineno or line) for line in failed):
        return False
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if not isinstance(statement, _KEPT):
        return False
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not (_names(statement.value) & missing) and not _launches(statement)
    if isinstance(statement, (ast.If, ast.Try)):
        return not any(_launches(each) for each in ast.walk(statement)) and not (_names(statement) & missing)
    return not (_names_above(statement) & missing)


def _names_above(statement: ast.stmt) -> set[str]:
    """Names that a definition needs when it is made: those of its decorators."""
    return {name for each in getattr(statement, "decorator_list", []) for name in _names(each)}


def _names(node: ast.AST | None) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} if node else set()


def _launches(node: ast.AST) -> bool:
    """`kernel[grid](…)`"""
    value = getattr(node, "value", None)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Subscript)


def _bound(statement: ast.stmt) -> set[str]:
    return {
        each.id
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
