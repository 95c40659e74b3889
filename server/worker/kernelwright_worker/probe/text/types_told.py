"""Types of elements that the text gives: asserted (`x.dtype == torch.float16`), said in a docstring or a comment
(`x: fp16 [rows, columns]`), made in a test of the same file (`torch.randn(…).half()`), part of a name (`w_bf16`), one
that a wrapper widens and comes back to (`x.float()` and `y.to(x.dtype)`), or cast to by the kernel where it stores
(`tl.store(y, value.to(tl.float16))`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...tensors import DTYPES
from .kernel_pointers import addressed
from .shape_texts import head

#: Types that inputs of a spec have in another form: that, and how many of it make an element.
VIEWED = {
    "float8_e4m3fn": ("uint8", 1),
    "float8_e5m2": ("uint8", 1),
    "complex64": ("float32", 2),
    "complex128": ("float64", 2),
}
_WORDS = {
    "fp16": "float16",
    "f16": "float16",
    "half": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "f32": "float32",
    "float": "float32",
    "u8": "uint8",
    "fp8": "float8_e4m3fn",
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "cfloat": "complex64",
}
_WORD = re.compile(
    r"\b(?:torch\.|tl\.)?(float8_e4m3fn|float8_e5m2|fp8|e4m3|e5m2|complex64|complex128|b?float16|float32|b?f(?:p)?16|fp32|f32|half|u?int8|int16|int32|int64)\b"
)
_IN_NAME = re.compile(r"(?:^|_)(b?fp?16|half|bfloat16|float16)(?:_|$)", re.I)
_SHAPE = re.compile(r"[\[(][^\[\]()]*[,*/][^\[\]()]*[\])]")
#: The same, of one size alone in square brackets, too.
_SIZES = re.compile(r"\[[^\[\]()]+\]|" + _SHAPE.pattern)
#: `fp16/bf16`, `bf16 or fp16`: of two short types the first one is as good as the other.
_EITHER = re.compile(r"\b(b?f(?:p|loat)?16)\s*(?:/|\||or|and)\s*b?f(?:p|loat)?16\b", re.I)
#: Methods that give a tensor another type.
_METHODS = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "byte": "uint8", "int": "int32"}
_NARROW = ("float16", "bfloat16")
#: Functions that hand their tensors on to functions that check them.
_MOST_DEPTH = 2
_LIKE = ("empty_like", "zeros_like", "ones_like", "rand_like", "randn_like", "clone", "contiguous", "cuda")


def dtype_named(text: str) -> str | None:
    """The type that a word stands for: `torch.half`, `fp16`."""
    plain = text.split(".")[-1].lower()
    name = _WORDS.get(plain, plain)
    return name if name in DTYPES or name in VIEWED else None


def types_told(
    text: str,
    tree: ast.Module,
    function: ast.FunctionDef,
    known: tuple[ast.FunctionDef, dict[str, str]] | None = None,
) -> dict[str, str]:
    """The type of each parameter of a function whose type the text tells, the surest first. `known`: the function in
    the words of what its object was made with, and the types of that.
    """
    body, made = known or (function, {})
    given = function.args
    names = [each.arg for each in [*given.posonlyargs, *given.args, *given.kwonlyargs]]
    told: dict[str, str] = {}
    for source in (
        _asserted(tree, function),
        _said(text, function, names),
        _made(tree, function, names),
        _named(names),
        _widened(function),
    ):
        for name, dtype in source:
            if name in names:
                told.setdefault(name, dtype)
    for one, other in _same(body):
        for first, open_ in ((one, other), (other, one)):
            if first in {**made, **told} and open_ in names:
                told.setdefault(open_, {**made, **told}[first])
    return told


def _asserted(tree: ast.Module, function: ast.FunctionDef, depth: int = 0) -> Iterator[tuple[str, str]]:
    """`assert x.dtype == torch.float16`, also of all of a list, and `if x.dtype != torch.float16: raise …`; so, too,
    in functions of the file that the parameters are handed to.
    """
    yield from _conditions(function, {})
    for node in ast.walk(function):
        if isinstance(node, ast.For):
            yield from _conditions(node, _listed(node.target, node.iter))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and depth < _MOST_DEPTH:
            callee = next((each for each in tree.body if _is_function(each, node.func.id)), None)
            if callee is not None:
                handed = _handed(callee, node)
                for name, dtype in _asserted(tree, callee, depth + 1):
                    yield from ((each, dtype) for each in handed.get(name, []))


def _conditions(around: ast.AST, listed: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(around):
        if isinstance(node, ast.Assert):
            yield from _compared(node.test, (ast.Eq, ast.Is, ast.In), listed)
        elif isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
            yield from _compared(node.test, (ast.NotEq, ast.IsNot, ast.NotIn), listed)
            for each in ast.walk(node.test):
                if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not):
                    yield from _compared(each.operand, (ast.Eq, ast.Is, ast.In), listed)


def _is_function(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == name


def _handed(callee: ast.FunctionDef, call: ast.Call) -> dict[str, list[str]]:
    """The names that a call hands over for each parameter."""
    names = [each.arg for each in [*callee.args.posonlyargs, *callee.args.args]]
    given = [(place, each.id) for place, each in enumerate(call.args) if isinstance(each, ast.Name)]
    found = {names[place]: [name] for place, name in given if place < len(names)}
    if callee.args.vararg:
        found[callee.args.vararg.arg] = [name for place, name in given if place >= len(names)]
    for each in call.keywords:
        if each.arg and isinstance(each.value, ast.Name):
            found[each.arg] = [each.value.id]
    return found


def _listed(target: ast.expr, values: ast.expr) -> dict[str, list[str]]:
    """What the names of a loop stand for: `for t in (x, w)`, `for t in tensors`, `for name, t in (("x", x), …)`."""
    if isinstance(target, ast.Name):
        return {target.id: [values.id] if isinstance(values, ast.Name) else _names_of(values)}
    if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(values, (ast.Tuple, ast.List)):
        return {}
    rows = [each.elts for each in values.elts if isinstance(each, (ast.Tuple, ast.List))]
    return {
        name.id: [row[place].id for row in rows if place < len(row) and isinstance(row[place], ast.Name)]
        for place, name in enumerate(target.elts)
        if isinstance(name, ast.Name)
    }


def _compared(test: ast.expr, operators: tuple, listed: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(test):
        if isinstance(node, ast.comprehension):
            listed = {**listed, **_listed(node.target, node.iter)}
    for node in ast.walk(test):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], operators):
            continue
        sides = [node.left, *node.comparators]
        dtypes = [dtype for side in sides for dtype in _dtypes_in(side)]
        if not dtypes:
            continue
        for side in sides:
            is_type = isinstance(side, ast.Attribute) and side.attr == "dtype"
            if is_type and isinstance(side.value, ast.Name):
                for name in listed.get(side.value.id, [side.value.id]):
                    yield name, dtypes[0]


def _dtypes_in(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    found = (dtype_named(ast.unparse(each)) for each in parts if isinstance(each, ast.Attribute))
    return [each for each in found if each]


def _names_of(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else []
    return [each.id for each in parts if isinstance(each, ast.Name)]


def _same(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Parameters whose types are compared: `assert q.dtype == k.dtype`."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.Is)):
            continue
        names = [
            each.value.id
            for each in [node.left, *node.comparators]
            if isinstance(each, ast.Attribute) and each.attr == "dtype" and isinstance(each.value, ast.Name)
        ]
        yield from zip(names, names[1:])


def _said(text: str, function: ast.FunctionDef, names: list[str]) -> Iterator[tuple[str, str]]:
    """What annotations, the docstring and comments within and before a function say behind a parameter's name."""
    for each in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
        word = _WORD.search(ast.unparse(each.annotation).lower()) if each.annotation else None
        if word and dtype_named(word.group(1)):
            yield each.arg, str(dtype_named(word.group(1)))
    lines = text.splitlines()
    first = function.lineno - 1
    while first > 0 and re.match(r"\s*[#@]", lines[first - 1]):
        first -= 1
    comments = [line.partition("#")[2] for line in lines[first : function.end_lineno]]
    for line in [*comments, *(ast.get_docstring(function) or "").splitlines()]:
        for part in re.split(r";|\.\s|\)\s*,", line):
            yield from _behind_names(part, names)
    # What the file says of itself is said of names with a shape: others may be words.
    for line in head(text).splitlines():
        for part in re.split(r";|\.\s|\)\s*,", line):
            if _SIZES.search(part):
                yield from _behind_names(part, names)


def _behind_names(part: str, names: list[str]) -> Iterator[tuple[str, str]]:
    """`x, y: fp16 (rows, columns)`: names, and the one type behind them, each time it stands there; a size may be
    called half, too.
    """
    part = _EITHER.sub(r"\1", _SHAPE.sub(_without_shape, part))
    words = [*_WORD.finditer(part.lower())]
    dtype = dtype_named(words[0].group(1)) if words else None
    if dtype is None:
        return
    if len({each.group(1) for each in words}) > 1:
        yield from _right_behind_names(part, names)
        return
    for word, last in zip(words, [0, *(each.end() for each in words)]):
        # Of `x: (rows, columns), at: int64` the type is that of what stands before the last colon.
        before = ":".join(part[last : word.start()].split(":")[-2:])
        for name in names:
            if re.search(r"(?<![\w.])%s\b" % re.escape(name), before):
                yield name, dtype


def _without_shape(shape: re.Match) -> str:
    """Nothing in the place of a shape; the type in that of `(bf16, rows side by side)`."""
    word = _WORD.match(shape.group(0)[1:].lstrip())
    return " %s " % word.group(1) if word and word.group(1) != "half" else " "


def _right_behind_names(part: str, names: list[str]) -> Iterator[tuple[str, str]]:
    """`x half, scale float32`: where several types are named, each is of the name before it, if it has no other."""
    for name in names:
        words = (re.escape(name), _WORD.pattern, _WORD.pattern)
        named = re.search(r"(?<![\w.])%s\s*[:=]?\s*(%s)(?!\s*(?:or|and|/|,)\s*%s)" % words, part)
        dtype = dtype_named(named.group(1)) if named else None
        if dtype:
            yield name, dtype


def _made(tree: ast.Module, function: ast.FunctionDef, names: list[str]) -> Iterator[tuple[str, str]]:
    """What code of the same file hands the function, be it over its class, or makes under the parameter's name."""
    owner = next((e for e in ast.walk(tree) if isinstance(e, ast.ClassDef) and function in e.body), None)
    called = {function.name, owner.name} if owner else {function.name}
    own = names[1:] if owner and names[:1] in (["self"], ["ctx"]) else names
    scopes = [tree, *(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))]
    for scope in scopes:
        if scope is function:
            continue
        made = _defaults(scope) | {
            each.targets[0].id: each.value
            for each in _within(scope)
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
        }
        instances = {name for name, value in made.items() if owner and owner.name in ast.unparse(value)}
        for call in _within(scope):
            if not isinstance(call, ast.Call):
                continue
            words = set(re.findall(r"\w+", ast.unparse(call.func)))
            if not words & (called | instances):
                continue
            pairs = [*zip(own, call.args), *((each.arg, each.value) for each in call.keywords)]
            for name, value in pairs:
                dtype = _type_of(value, made, 4)
                if dtype:
                    yield str(name), dtype


def _defaults(scope: ast.AST) -> dict[str, ast.expr]:
    """What the parameters of a function are where a call leaves them out."""
    if not isinstance(scope, ast.FunctionDef):
        return {}
    given = scope.args
    positional = [*given.posonlyargs, *given.args]
    behind = positional[len(positional) - len(given.defaults) :]
    pairs = [*zip(behind, given.defaults), *zip(given.kwonlyargs, given.kw_defaults)]
    return {each.arg: value for each, value in pairs if value is not None}


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """All below a module or a function, without the functions and classes in it."""
    for node in ast.iter_child_nodes(scope):
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node
            yield from _within(node)


def _type_of(value: ast.expr, made: dict[str, ast.expr], depth: int) -> str | None:
    """The type that an expression makes: of a name that of its value, of a method that of its tensor."""
    if depth == 0:
        return None
    if isinstance(value, ast.Name):
        return _type_of(made[value.id], made, depth - 1) if value.id in made else None
    if isinstance(value, ast.BinOp):
        sides = (_type_of(side, made, depth - 1) for side in (value.left, value.right))
        return next((each for each in sides if each), None)
    if not isinstance(value, ast.Call):
        return None
    for each in value.keywords:
        if each.arg == "dtype":
            named = made.get(each.value.id) if isinstance(each.value, ast.Name) else each.value
            return dtype_named(ast.unparse(named)) if named is not None else None
    if not isinstance(value.func, ast.Attribute):
        return None
    if value.func.attr in _METHODS and not value.args:
        return _METHODS[value.func.attr]
    if value.func.attr == "to":
        told = [dtype_named(ast.unparse(each)) for each in value.args]
        return next((each for each in told if each), _type_of(value.func.value, made, depth - 1))
    if value.func.attr in _LIKE and value.args:
        return _type_of(value.args[0], made, depth - 1)
    return _type_of(value.func.value, made, depth - 1)


def _named(names: list[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        word = _IN_NAME.search(name)
        dtype = dtype_named(word.group(1)) if word else None
        if dtype:
            yield name, dtype


def _widened(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Tensors that a wrapper converts to float32, and whose own type it converts to behind it: shorter ones."""
    calls = [
        each
        for each in ast.walk(function)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
    ]
    back = {
        given.value.id
        for each in calls
        if each.func.attr in ("to", "type")
        for given in [*each.args, *(keyword.value for keyword in each.keywords)]
        if isinstance(given, ast.Attribute) and given.attr == "dtype" and isinstance(given.value, ast.Name)
    }
    for each in calls:
        base = each.func.value
        while isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute):
            base = base.func.value
        told = [dtype_named(ast.unparse(given)) for given in each.args]
        wide = each.func.attr == "float" or (each.func.attr == "to" and told == ["float32"])
        if wide and isinstance(base, ast.Name) and base.id in back:
            yield base.id, "float16"


def kernel_types(tree: ast.Module, kernel: str) -> dict[str, str]:
    """Types of what a kernel's parameters point to: what it casts to where it stores is that of the memory. What it
    loads and makes wider is as narrow as what it stores.
    """
    node = next((e for e in ast.walk(tree) if isinstance(e, ast.FunctionDef) and e.name == kernel), None)
    if node is None:
        return {}
    stored: dict[str, str] = {}
    widened: set[str] = set()
    for base, call in addressed(node, node):
        if call.func.attr == "store" and len(call.args) > 1:
            dtype = _cast(call.args[1])
            if dtype in _NARROW:
                stored.setdefault(base, dtype)
    for each in ast.walk(node):
        if _cast(each) == "float32":
            loaded = addressed(each.func.value, node)
            widened |= {base for base, call in loaded if call is each.func.value}
    narrow = list(dict.fromkeys(stored.values()))
    return {**dict.fromkeys(widened, narrow[0]), **stored} if len(narrow) == 1 else stored


def _cast(value: ast.AST) -> str | None:
    """`tl.float16` of `value.to(tl.float16)`."""
    is_cast = (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "to"
    )
    return dtype_named(ast.unparse(value.args[0])) if is_cast and value.args else None
