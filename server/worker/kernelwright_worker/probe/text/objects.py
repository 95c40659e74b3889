"""Parameters of which only attributes are asked, such as a configuration: `config.hidden`. A text that is read
for hints speaks of the fields instead, as if each were a parameter of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .parts.modules import module_of
from .reading import TENSOR_ATTRIBUTES
from .unpacked import Parts

#: What an object is made with of which the file has no class.
_PLAIN = "SimpleNamespace"
#: Parameters that are objects of torch or of Python.
_OTHERS = {"self", "cls", "ctx", "device", "dtype", "generator", "stream", "meta"}
#: A field's parameter by its name, with its default; None where it has none.
Fields = dict[str, tuple[ast.arg, ast.expr | None]]


def take_apart(tree: ast.Module) -> dict[ast.FunctionDef, dict[str, Parts]]:
    """Puts fields in the places of objects, in all functions of a file; gives them by function and parameter."""
    classes = {each.name: _fields(each) for each in tree.body if isinstance(each, ast.ClassDef)}
    classes = {name: fields for name, fields in classes.items() if fields}
    found = {}
    for owner in ast.walk(tree):
        for node in getattr(owner, "body", []) if isinstance(owner, (ast.Module, ast.ClassDef)) else []:
            made = _of_function(node, classes) if isinstance(node, ast.FunctionDef) else {}
            if not made:
                continue
            found[node] = {name: parts for name, (parts, _) in made.items()}
            for name, (parts, fields) in made.items():
                _put(node, name, parts, fields)
                if isinstance(owner, ast.ClassDef) and node.name == "__init__":
                    _put_in_methods(owner, node, name, parts)
    return found


def _of_function(node: ast.FunctionDef, classes: dict[str, Fields]) -> dict[str, tuple[Parts, Fields]]:
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    needed = positional[: len(positional) - len(given.defaults)]
    needed += [each for each, value in zip(given.kwonlyargs, given.kw_defaults) if value is None]
    names = {each.arg for each in [*positional, *given.kwonlyargs]}
    found = {}
    for each in needed:
        if each.arg in _OTHERS:
            continue
        maker, fields = _class_of(each, node, classes)
        if not maker:
            continue
        members = {name if name not in names else "%s_%s" % (each.arg, name): name for name in fields}
        found[each.arg] = (Parts("%s(%%s)" % maker, members), fields)
        names |= set(members)
    return found


def _class_of(parameter: ast.arg, node: ast.FunctionDef, classes: dict[str, Fields]) -> tuple[str, Fields]:
    """What an object is made with and those of its fields that count; nothing for what may be no object."""
    asked = list(dict.fromkeys(_asked(node, parameter.arg)))
    words = ast.unparse(parameter.annotation) if parameter.annotation else ""
    annotated = next(
        (name for name in classes if name in words.replace("'", " ").replace("[", " ").split()), ""
    )
    annotated = annotated or (words if words in classes else "")
    if annotated:
        fields = classes[annotated]
        wanted = {name for name in fields if name in asked or fields[name][1] is None}
        return annotated, {name: fields[name] for name in fields if name in wanted}
    maker, sizes = module_of(parameter.arg, words, asked)
    if maker:
        return maker, {name: (ast.arg(name, ast.Name("int")), None) for name in sizes}
    is_whole = _uses(node, parameter.arg) > sum(1 for _ in _asked(node, parameter.arg))
    if not asked or is_whole or words or set(asked) & TENSOR_ATTRIBUTES or _has_calls(node, parameter.arg):
        return "", {}
    fitting = [name for name, fields in classes.items() if set(asked) <= set(fields)]
    if len(fitting) == 1:
        fields = classes[fitting[0]]
        return fitting[0], {n: fields[n] for n in fields if n in asked or fields[n][1] is None}
    return _PLAIN, {name: (ast.arg(name, None), None) for name in asked}


def _fields(owner: ast.ClassDef) -> Fields:
    """The fields of a class of data: a dataclass, a named tuple, or one whose constructor keeps what it gets."""
    words = " ".join(ast.unparse(each) for each in [*owner.decorator_list, *owner.bases])
    if any(each in words for each in ("Module", "Function", "Enum", "jit")):
        return {}
    made = next((e for e in owner.body if isinstance(e, ast.FunctionDef) and e.name == "__init__"), None)
    if made is None:
        is_data = any(each in words for each in ("dataclass", "NamedTuple"))
        listed = [e for e in owner.body if isinstance(e, ast.AnnAssign) and isinstance(e.target, ast.Name)]
        return {e.target.id: (ast.arg(e.target.id, e.annotation), e.value) for e in listed if is_data}
    given = made.args
    parameters = given.args[1:]
    behind = len(parameters) - len(given.defaults)
    values = [None] * behind + list(given.defaults)
    kept = {
        target.attr
        for each in ast.walk(made)
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Name)
        for target in each.targets
        if isinstance(target, ast.Attribute) and target.attr == each.value.id
    }
    if not {each.arg for each in parameters} <= kept:
        return {}
    return {each.arg: (ast.arg(each.arg, each.annotation), value) for each, value in zip(parameters, values)}


def _asked(node: ast.AST, name: str) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == name:
            yield each.attr


def _uses(node: ast.AST, name: str) -> int:
    return sum(1 for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == name)


def _has_calls(node: ast.AST, name: str) -> bool:
    calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
    return any(list(_asked(each, name)) for each in calls if isinstance(each, ast.Attribute))


def _put(node: ast.FunctionDef, name: str, parts: Parts, fields: Fields) -> None:
    """The fields of an object as parameters of a function, under their names."""
    for alias, field in parts.members.items():
        parameter, value = fields[field]
        made = ast.copy_location(ast.arg(alias, parameter.annotation), node)
        node.args.kwonlyargs.append(made)
        node.args.kw_defaults.append(value)
    aliases = {field: alias for alias, field in parts.members.items()}
    node.body = [_Named(ast.Name(name), aliases).visit(each) for each in node.body]


def _put_in_methods(owner: ast.ClassDef, made: ast.FunctionDef, name: str, parts: Parts) -> None:
    """`self.config.hidden` of a method is what the constructor was given: `self.hidden`, which it then keeps."""
    kept = [
        target
        for each in made.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Name) and each.value.id == name
        for target in each.targets
        if isinstance(target, ast.Attribute)
    ]
    for target in kept[:1]:
        words = {field: "_%s" % alias for alias, field in parts.members.items()}
        for method in owner.body:
            _Named(target, words, ast.Name("self", ast.Load())).visit(method)
        lines = ["self._%s = %s" % (alias, alias) for alias in parts.members]
        further = [ast.copy_location(each, made) for each in ast.parse("\n".join(lines)).body]
        made.body += [ast.fix_missing_locations(each) for each in further]


class _Named(ast.NodeTransformer):
    """Names in the places of an object's attributes; attributes of another object where one is given."""

    def __init__(self, of: ast.expr, names: dict[str, str], owner: ast.expr | None = None) -> None:
        self._of, self._names, self._owner = ast.unparse(of), names, owner

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if node.attr in self._names and ast.unparse(node.value) == self._of:
            name = self._names[node.attr]
            made = ast.Attribute(self._owner, name, node.ctx) if self._owner else ast.Name(name, node.ctx)
            return ast.fix_missing_locations(ast.copy_location(made, node))
        return self.generic_visit(node)
