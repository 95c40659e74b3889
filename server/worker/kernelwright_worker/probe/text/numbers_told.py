"""Numbers that comments and docstrings give for sizes: `N = 1 << 20`, `hidden is usually 4096`."""

from __future__ import annotations

import ast
import re

_WORDS = r"(?:\s*(?:==?|:|is|are|of|~|usually|typically|about))+\s*"
_NUMBER = r"(\d[\d,_]*)(?:\s*(<<|\^|\*\*)\s*(\d+))?(?!\.\d|\w|\s*[-/%])"


def numbers_told(text: str, tree: ast.Module, names: list[str]) -> dict[str, int]:
    """What the comments and docstrings of a file say of sizes, by their names."""
    documented = [
        tree,
        *(each for each in ast.walk(tree) if isinstance(each, (ast.FunctionDef, ast.ClassDef))),
    ]
    said = [ast.get_docstring(each) or "" for each in documented]
    said += [line.partition("#")[2] for line in text.splitlines()]
    found = {}
    for name in names:
        pattern = r"(?<![\w.])%s\b%s%s" % (re.escape(name), _WORDS, _NUMBER)
        match = re.search(pattern, "\n".join(said), re.I)
        number = _value(*match.groups()) if match else 0
        # A size of one is a special case, such as one token to decode.
        if number > 1:
            found[name] = number
    return found


def _value(digits: str, operator: str | None, exponent: str | None) -> int:
    base = int(re.sub(r"[,_]", "", digits))
    power = min(int(exponent or 0), 63)
    if operator is None:
        return base
    return base << power if operator == "<<" else base**power
