"""Shapes that docstrings and comments give: `q, k: [batch, heads, dim]`, `x: Tensor,  # (rows, columns // 2)`,
`x.shape == (rows, columns)`. Those of annotations, `Float[Tensor, "batch rows"]`, and of patterns,
`rearrange(x, "batch (heads dim) -> …")`.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

#: In round brackets one size alone has its comma: `(rows,)`.
_LIST = r"(?:\[\s*(?P<square>[^\[\]()\n]+?)\s*,?\s*\]|\(\s*(?P<round>[^\[\]()\n]+?,[^\[\]()\n]*?)\s*\))"
#: One name or several that share a shape.
_NAMES = r"(?<![\w.])`?(\w+)(?:\.shape\s*==?)?`?((?:\s*(?:,|and|&)\s*`?\w+`?)*)\s*"
#: At most some words, then the list.
_WORDS_AND_LIST = r"(?:[:=-]|is|are|has|have|of|with|in)?(?P<words>[^\[\]().;\n]{0,60}?)" + _LIST
_SHAPED = re.compile(_NAMES + _WORDS_AND_LIST)
#: With a type in brackets behind the name: `x (Tensor, optional): shape (rows, columns)`.
_TYPED = re.compile(_NAMES + r"\([^()\[\]]*\)\s*" + _WORDS_AND_LIST)
#: What stands between the lists of several names that have one each: `a, b: (m, k) and (k, n)`.
_NEXT = re.compile(r"\s*(?:,|and|,\s*and|&)\s*" + _LIST)
_SIZE = re.compile(r"[A-Za-z_]\w*|\d+")
_EXPRESSION = re.compile(r"(?:[A-Za-z_]\w*|\d+)(?:\s*(?://|[/*+-])\s*(?:[A-Za-z_]\w*|\d+))*")
#: What stands in brackets but is no size.
_NO_SIZE = set(
    "Tensor torch Optional optional int float bool str None device dtype cuda cpu default inclusive exclusive".split()
)


def shapes_told(source: str, function: ast.FunctionDef) -> dict[str, list[str]]:
    """The sizes of each parameter that the docstring or a comment of the function gives, as expressions."""
    names = [
        each.arg for each in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    ]
    told = _annotated(function)
    for line, text in _comments(source, function):
        on_line = [
            each.arg
            for each in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            if each.lineno == line
        ]
        whole = re.match(r"\W*(?:shape\W*)?" + _LIST, text)
        sizes = _listed(whole) if whole else None
        if sizes is not None:
            for name in on_line:
                told.setdefault(name, sizes)
        _gather(text, names, told)
    for line in _joined(ast.get_docstring(function) or ""):
        _gather(line, names, told)
    for name, sizes in _patterned(function):
        if name in names:
            told.setdefault(name, sizes)
    for line in [*_above(source, function), *_joined(head(source))]:
        _gather(line, names, told)
    return told


def _above(source: str, function: ast.FunctionDef) -> list[str]:
    """The comment that stands before a function, line by line."""
    lines = source.splitlines()
    end = min([function.lineno, *(each.lineno for each in function.decorator_list)]) - 1
    first = end
    while first > 0 and lines[first - 1].startswith("#"):
        first -= 1
    return [line.lstrip("# ") for line in lines[first:end]]


def head(source: str) -> str:
    """What a file says of itself before its first function or class: docstring and comments."""
    begin = re.search(r"^(?:@|def\b|class\b|async\b)", source, re.M)
    head = source[: begin.start()] if begin else source
    docstring = re.match(r"(?:\s*#[^\n]*\n|\s)*[rR]?(\"{3}|'{3})(.*?)\1", head, re.S)
    comments = re.findall(r"^#+[ \t]*([^\n]*)", head, re.M)
    return "\n".join([*(docstring.group(2).splitlines() if docstring else []), *comments])


def _annotated(function: ast.FunctionDef) -> dict[str, list[str]]:
    """Shapes that are a word of the parameter's annotation."""
    found: dict[str, list[str]] = {}
    for each in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
        index = each.annotation.slice if isinstance(each.annotation, ast.Subscript) else None
        word = index.elts[-1] if isinstance(index, ast.Tuple) and index.elts else None
        if isinstance(word, ast.Constant) and isinstance(word.value, str):
            sizes = _pattern(word.value)
            if sizes:
                found[each.arg] = sizes
    return found


def _patterned(function: ast.FunctionDef) -> Iterator[tuple[str, list[str]]]:
    """Shapes of tensors that are rearranged by a pattern, or multiplied by one: `einsum("b i d, b j d -> b i j", q, k)`."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        called = ast.unparse(node.func).split(".")[-1]
        if called in ("rearrange", "reduce", "repeat"):
            tensors, pattern = node.args[:1], node.args[1]
        elif called == "einsum":
            pattern, *tensors = node.args if isinstance(node.args[0], ast.Constant) else node.args[::-1]
            tensors = tensors if isinstance(node.args[0], ast.Constant) else tensors[::-1]
        else:
            continue
        if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str):
            continue
        for tensor, text in zip(tensors, pattern.value.partition("->")[0].split(",")):
            sizes = _pattern(text if " " in text.strip() or called != "einsum" else " ".join(text.strip()))
            if isinstance(tensor, ast.Name) and sizes:
                yield tensor.id, sizes


def _pattern(text: str) -> list[str]:
    """The sizes of a pattern, `batch (heads dim) 3`; empty where it leaves some open."""
    parts = re.findall(r"\([^()]*\)|[^\s()]+", text)
    sizes = [" * ".join(each.strip("()").split()) for each in parts]
    words = [word for each in sizes for word in each.split(" * ")]
    return sizes if words and all(_SIZE.fullmatch(word) for word in words) else []


def _gather(text: str, names: list[str], told: dict[str, list[str]]) -> None:
    at = 0
    while at < len(text):
        match = _TYPED.search(text, at)
        direct = _SHAPED.search(text, at)
        if direct is not None and (match is None or direct.start() <= match.start()):
            typed = _TYPED.match(text, direct.start())
            match = direct if _listed(direct) is not None else typed or direct
        if match is None:
            return
        own = [match.group(1), *re.findall(r"\w+", match.group(2))]
        # Words between a name and a list may name another tensor, which the list is of then.
        other = re.search(r"(?<![\w.])(?:%s)\b" % "|".join(map(re.escape, names)), match["words"])
        if other is not None:
            at = match.start("words") + other.start()
            continue
        at = match.end()
        lists = [_listed(match)]
        while len(lists) < len(own) and (following := _NEXT.match(text, at)):
            lists.append(_listed(following))
            at = following.end()
        for place, name in enumerate(own):
            sizes = lists[place] if len(lists) == len(own) else lists[0]
            if name in names and sizes is not None:
                told.setdefault(name, sizes)


def _joined(text: str) -> list[str]:
    """The lines of a docstring, and each with the one after it: a shape may stand below its name."""
    lines = text.splitlines()
    below = ["%s %s" % (a, b) for a, b in zip(lines, lines[1:]) if re.search(r"[:)]\s*$", a)]
    return [*lines, *below]


def _listed(match: re.Match) -> list[str] | None:
    """The sizes of a list, as expressions in whole numbers; None where it is no list of sizes."""
    text = (match["square"] or match["round"]).rstrip(", ")
    parts = [re.sub(r"\s*\b[xX×]\b\s*", ",", each).strip() for each in text.split(",")]
    parts = [each for part in parts for each in part.split(",")]
    if not all(_EXPRESSION.fullmatch(each) for each in parts):
        return None
    words = {word for each in parts for word in _SIZE.findall(each)}
    if words & _NO_SIZE or not any(not word.isdigit() for word in words):
        return None
    return [re.sub(r"(?<!/)/(?!/)", "//", each) for each in parts]


def _comments(source: str, function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    first, last = function.lineno, function.end_lineno or function.lineno
    lines = source.splitlines(keepends=True)[first - 1 : last]
    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
            if token.type == tokenize.COMMENT:
                yield first - 1 + token.start[0], token.string.lstrip("# ")
    except (tokenize.TokenError, IndentationError):
        return


def in_names_of(told: dict[str, list[str]], dims: dict[str, list[str | None]]) -> dict[str, list[str]]:
    """The shapes that were told in the names that the code itself has for the same sizes."""
    known = {}
    for name, sizes in told.items():
        for said, coded in zip(sizes, dims.get(name, [])):
            if coded is not None and not said.isdigit() and len(sizes) >= len(dims[name]):
                known.setdefault(_plain(said), coded)
    in_code = lambda each: _SIZE.sub(lambda word: known.get(word.group(0), word.group(0)), each)
    # `batch * heads` may be one size of the code.
    return {
        name: [known.get(_plain(each)) or in_code(each) for each in sizes] for name, sizes in told.items()
    }


def _plain(size: str) -> str:
    return re.sub(r"\s", "", size)
