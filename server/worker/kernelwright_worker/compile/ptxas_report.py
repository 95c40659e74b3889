"""Reading what `ptxas -v` prints. Fields come and go with architecture and release, so each is looked for on
its own.
"""

from __future__ import annotations

import re

_ENTRY = re.compile(r"Compiling entry function '([^']+)' for '([^']+)'")
_PROPERTIES = re.compile(r"Function properties for (\S+)")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
_BARRIERS = re.compile(r"used (\d+) barriers")


def parse_report(text: str) -> list[dict]:
    """One record for each entry function: name, architecture, registers, stackBytes, spillStoreBytes,
    spillLoadBytes, sharedBytes, barriers. Properties of device functions that were not inlined are left
    out: the entry's own figures include what it needs.
    """
    entries, current, describes = [], None, None
    for line in text.splitlines():
        entry = _ENTRY.search(line)
        if entry:
            current = {
                "name": entry.group(1),
                "architecture": entry.group(2),
                "registers": 0,
                "stackBytes": 0,
                "spillStoreBytes": 0,
                "spillLoadBytes": 0,
                "sharedBytes": 0,
                "barriers": 0,
            }
            entries.append(current)
            describes = current["name"]
            continue
        properties = _PROPERTIES.search(line)
        if properties:
            describes = properties.group(1)
            continue
        if current is not None:
            _add_figures(current, describes, line)
    return entries


def _add_figures(entry: dict, describes: str, line: str) -> None:
    stack = _STACK.search(line)
    if stack and describes == entry["name"]:
        entry["stackBytes"], entry["spillStoreBytes"], entry["spillLoadBytes"] = (
            int(figure) for figure in stack.groups()
        )
    used = _USED.search(line)
    if used:
        entry["registers"] = int(used.group(1))
        for field, pattern in (("sharedBytes", _SHARED), ("barriers", _BARRIERS)):
            found = pattern.search(line)
            if found:
                entry[field] = int(found.group(1))
