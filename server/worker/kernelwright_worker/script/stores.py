"""Which pointer parameters a kernel may store through, from its PTX: what it only reads need not be fetched
back.
"""

from __future__ import annotations

import re

_ENTRY = re.compile(r"\.entry\s+(\S+?)\s*\((.*?)\)", re.S)
#: Comments, and the places of instructions, which end without a semicolon.
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|^\s*\.loc\b[^\n]*", re.S | re.M)
_WRITTEN_STORE = re.compile(r"(?<![\w.%])(?:st|atom|red|multimem|stmatrix|cp\.reduce)\.")
_NAME = re.compile(r"[%$A-Za-z_][\w$]*")
_STORES = re.compile(r"(?:st|atom|red|multimem|cp\.reduce|cp\.async\.bulk|st\.async|stmatrix)(?:\.|$)")
#: Stores that cannot reach global memory.
_ELSEWHERE = re.compile(r"(?:st|atom|red|stmatrix)(?:\.\w+)*?\.(?:shared|local|param)\b")
_PRINTS = re.compile(r"call(?:\.uni)?\b[^;]*\b(?:vprintf|__assertfail)\b")


def stored_parameters(ptx: str, name: str) -> set[int] | None:
    """Positions of the parameters of entry `name` whose memory the kernel may change, or None when it cannot
    be told: then it may be any. An address that was loaded from memory, or that came through shared
    memory, may be any parameter's.
    """
    text = _COMMENT.sub("", ptx)
    entry = next((each for each in _ENTRY.finditer(text) if each.group(1) == name), None)
    if entry is None or ".func" in _without_declarations(text):
        return None
    parameters = re.findall(r"\b%s_param_\d+\b" % re.escape(name), entry.group(2))
    flow = _Flow(
        {parameter: 1 << position for position, parameter in enumerate(parameters)},
        (1 << len(parameters)) - 1,
    )
    statements = [each for each in map(_statement, text[entry.end() :].split(";")) if each]
    if any(opcode.startswith("call") and not _PRINTS.match(whole) for opcode, _, whole in statements):
        return None
    while any([flow.step(opcode, operands) for opcode, operands, _ in statements]):
        continue
    seen = sum(_WRITTEN_STORE.match(opcode + ".") is not None for opcode, _, _ in statements)
    if seen != len(_WRITTEN_STORE.findall(text)) or not all(
        flow.is_told(opcode, operands) for opcode, operands, _ in statements
    ):
        return None
    return {position for position in range(len(parameters)) if flow.stored >> position & 1}


def _is_store(opcode: str) -> bool:
    return _STORES.match(opcode) is not None and _ELSEWHERE.match(opcode) is None


def _without_declarations(text: str) -> str:
    """The text without functions that are only named, as the printing functions of the device are."""
    return re.sub(r"\.extern\s+\.func[^;]*;", "", text)


def _statement(text: str) -> tuple[str, list[str], str] | None:
    """Opcode, operands at the top level, and the whole statement; None for a directive, a label or nothing."""
    text = re.sub(r"^[\s{}]*(?:[$\w]+:\s*)*[\s{}]*", "", text.strip())
    text = re.sub(r"^@!?[%$\w]+\s+", "", text)
    if not text or text.startswith("."):
        return None
    opcode, *rest = text.split(None, 1)
    return opcode, _split(rest[0] if rest else ""), text


def _split(text: str) -> list:
    """Operands between commas that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character in "[{(":
            depth += 1
        elif character in "]})":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


class _Flow:
    """From which parameters each register may come, as sets of bits. Registers are assigned in several
    places, so it grows until it stays.
    """

    def __init__(self, sources: dict[str, int], everything: int) -> None:
        self._from = dict(sources)
        self._everything = everything
        self.stored = 0

    def step(self, opcode: str, operands: list[str]) -> bool:
        """Follows one statement; true when something new came out."""
        before = self.stored
        if _is_store(opcode):
            self.stored |= self._target(operands)
        return self._assign(opcode, operands) or self.stored != before

    def is_told(self, opcode: str, operands: list[str]) -> bool:
        """False for a store of which no parameter is known to be the target."""
        return not _is_store(opcode) or self._target(operands) != 0

    def _target(self, operands: list[str]) -> int:
        found = 0
        for operand in operands:
            if "[" in operand:
                found |= self._of(operand)
        return found

    def _assign(self, opcode: str, operands: list[str]) -> bool:
        # What stands first is assigned, unless it is memory.
        if len(operands) < 2 or operands[0].lstrip().startswith("["):
            return False
        value = self._loaded(opcode)
        if value is None:
            value = 0
            for operand in operands[1:]:
                value |= self._of(operand)
        changed = False
        for register in _NAME.findall(operands[0]):
            known = self._from.get(register, 0)
            if value | known != known:
                self._from[register] = value | known
                changed = True
        return changed

    def _loaded(self, opcode: str) -> int | None:
        """What a load may give: a number of at most 32 bits from global memory is no address, anything else
        may be any. None: no load.
        """
        if not re.match(r"(?:ld|ldu|ldmatrix|atom|tex|suld)\b", opcode) or opcode.startswith("ld.param"):
            return None
        return (
            0
            if opcode.startswith("ld.global") and re.search(r"\.[busf](?:8|16|32)$", opcode)
            else self._everything
        )

    def _of(self, operand: str) -> int:
        found = 0
        for name in _NAME.findall(operand):
            found |= self._from.get(name, 0)
        return found
