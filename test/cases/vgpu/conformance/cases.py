"""What a conformance case is, and the files that hold them.

A case is a few PTX instructions for one lane: `%a`, `%b`, `%c`, `%d` hold the lane's inputs, `%o0`, `%o1`, … are its results. Inputs come from sets that
cases of a file share. All values are bits in hexadecimal.
"""

import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).parent / "expected"
SIZES = {"b8": 8, "b16": 16, "b32": 32, "b64": 64}


def words(values, kind):
    """Bits as one text, two's complement where a value is negative."""
    size = SIZES[kind]
    return " ".join(f"{value & ((1 << size) - 1):x}" for value in values)


class Suite:
    """Cases of one file."""

    def __init__(self, name):
        self.name = name
        self.inputs = {}
        self.buffers = {}
        self.cases = []

    def input_set(self, name, *columns):
        """Columns of inputs: pairs of a type (b8 to b64) and as many values as there are lanes."""
        self.inputs[name] = [{"type": kind, "values": words(values, kind)} for kind, values in columns]
        return name

    def case(self, body, inputs, outputs, **extra):
        """`outputs` are pairs of a type and the expected values; `extra` may say `opcode`, `nan`, `bound`, `grid`, `block`, `declare`, `memory`."""
        if "memory" in extra:
            extra["memory"] = self.shared_buffer(**extra["memory"])
        opcode = extra.pop("opcode", None) or re.match(r"[a-z0-9]+", body).group()
        self.cases.append({
            "opcode": opcode, "body": body, "inputs": inputs,
            "outputs": [{"type": kind, "values": words(values, kind)} for kind, values in outputs], **extra,
        })

    def shared_buffer(self, before, after):
        """Contents at the start are named, since many cases share them; without `after` they stay as they are."""
        name = next((name for name, column in self.buffers.items() if column == before), f"buffer {len(self.buffers)}")
        self.buffers[name] = before
        return {"before": name} if before == after else {"before": name, "after": after}

    def write(self):
        """One case a line, so that a change shows as the line of its case."""
        FOLDER.mkdir(exist_ok=True)
        sets, buffers = (",\n".join(f"  {json.dumps(name)}: {json.dumps(held)}" for name, held in named.items()) for named in (self.inputs, self.buffers))
        lines = ",\n".join(f"  {json.dumps(case)}" for case in self.cases)
        (FOLDER / f"{self.name}.json").write_text(f'{{"inputs": {{\n{sets}\n}},\n"buffers": {{\n{buffers}\n}},\n"cases": [\n{lines}\n]}}\n')


def signed(value, bits):
    """The number that `bits` two's complement bits stand for."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def of_type(value, kind):
    """Bits read as `u32`, `s16`, `b64`, …"""
    bits = int(kind[1:])
    return signed(value, bits) if kind[0] == "s" else value & ((1 << bits) - 1)
