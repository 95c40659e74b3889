"""Names of arguments that are words of Python: CUDA has parameters such as `in`, `from` and `lambda`."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterable


def python_names(names: Iterable[str]) -> dict[str, str]:
    """By each name how Python may call it: itself, or with `_` behind it where it is a word of Python."""
    taken = set(names)
    spelled = {}
    for name in sorted(taken):
        spelling = name
        while keyword.iskeyword(spelling) or (spelling != name and spelling in taken):
            spelling += "_"
        spelled[name] = spelling
    return spelled


def with_python_names(text: str, spelled: dict[str, str]) -> str:
    """An expression with each name as `spelled` says. Texts in quotes stay as they are."""
    changed = {name: spelling for name, spelling in spelled.items() if name != spelling}
    if not changed:
        return text
    try:
        tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
    except (tokenize.TokenError, SyntaxError):
        # It is no expression, which is told by those who parse it.
        return text
    lines = text.splitlines(keepends=True)
    for token in reversed(tokens):
        spelling = changed.get(token.string) if token.type == tokenize.NAME else None
        if spelling is not None:
            (row, start), (_, end) = token.start, token.end
            line = lines[row - 1]
            lines[row - 1] = line[:start] + spelling + line[end:]
    return "".join(lines)
