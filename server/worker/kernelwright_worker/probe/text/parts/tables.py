"""Parameters that are dictionaries: `params["weight"]`. A text that is read for hints speaks of the values instead, as
if each were a parameter of its own.
"""

from __future__ import annotations

import ast

from ..unpacked import Parts


def take_tables_apart(tree: ast.Module) -> dict[ast.FunctionDef, dict[str, Parts]]:
    """Puts values in the places of `params["weight"]`, in all functions; gives them by function and parameter."""
    found: dict[ast.FunctionDef, dict[str, Parts]] = {}
    for node in [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]:
        given = node.args
        positional = [*given.posonlyargs, *given.args]
        needed = [each.arg for each in positional[: len(positional) - len(given.defaults)]]
        names = {each.arg for each in [*positional, *given.kwonlyargs]}
        for name in needed:
            keys = _keys(node, name)
            if not keys or not all(each.isidentifier() for each in keys):
                continue
            members = {each if each not in names else "%s_%s" % (name, each): each for each in keys}
            names |= set(members)
            found.setdefault(node, {})[name] = Parts("dict(%s)", members)
            _put(node, name, members)
    return found


def _keys(node: ast.FunctionDef, name: str) -> list[str]:
    """The keys that a function asks of a parameter; none where it does anything else with it but to ask for others."""
    keys: list[str] = []
    uses = 0
    for each in ast.walk(node):
        uses += isinstance(each, ast.Name) and each.id == name
        key = _key(each, name)
        if key is not None:
            uses -= 1
            keys.append(key)
        if isinstance(each, ast.Call) and ast.unparse(each.func) == name + ".get":
            uses -= 1
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.In, ast.NotIn)):
            uses -= ast.unparse(each.comparators[0]) == name
    return list(dict.fromkeys(keys)) if uses == 0 else []


def _key(node: ast.AST, name: str) -> str | None:
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name) or node.value.id != name:
        return None
    is_text = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    return node.slice.value if is_text else None


def _put(node: ast.FunctionDef, name: str, members: dict[str, str]) -> None:
    for alias in members:
        node.args.kwonlyargs.append(ast.copy_location(ast.arg(alias, None), node))
        node.args.kw_defaults.append(None)
    aliases = {key: alias for alias, key in members.items()}
    node.body = [_Values(name, aliases).visit(each) for each in node.body]


class _Values(ast.NodeTransformer):
    """Names in the places of values."""

    def __init__(self, name: str, aliases: dict[str, str]) -> None:
        self._name, self._aliases = name, aliases

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        key = _key(node, self._name)
        if key is None:
            return self.generic_visit(node)
        return ast.copy_location(ast.Name(self._aliases[key], node.ctx), node)
