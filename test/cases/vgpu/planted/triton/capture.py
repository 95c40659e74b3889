"""Compiles every kernel of planted.py for sm_80 with its bug and without (no GPU is needed): KERNEL.bug.ptx and KERNEL.fixed.ptx, and
facts.json with the shared bytes that each needs.

Usage: python capture.py FOLDER
"""

import json
import pathlib
import re
import sys

import planted
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

POINTERS = {"float": "*fp32", "int": "*i32"}


def headers(text: str) -> dict[str, tuple[int, dict[str, str]]]:
    """By kernel: the warps of a block, and the text behind each parameter's name."""
    found = {}
    for header, name in re.findall(r"^#: (.*)\n@triton\.jit\ndef (\w+)", text, re.MULTILINE):
        fields = [field.strip() for field in header.split("|")]
        threads = next(int(field.split()[1]) for field in fields if field.startswith("block "))
        found[name] = (threads // 32, dict(re.split(r" :?= ", field) for field in fields if "= " in field))
    return found


def compile_variant(name: str, warps: int, parameters: dict[str, str], fixed: bool):
    """One kernel; pointers are divisible by 16, as Triton specialises real launches."""
    kernel = getattr(planted, name)
    signature, constants, attributes = {"FIXED": "constexpr"}, {"FIXED": fixed}, {}
    for index, parameter in enumerate(kernel.arg_names[:-1]):
        memory = re.match(r"(\w+)\[", parameters[parameter])
        if parameter.isupper():
            signature[parameter], constants[parameter] = "constexpr", int(parameters[parameter])
        elif memory:
            signature[parameter] = POINTERS[memory[1]]
            attributes[(index,)] = [["tt.divisibility", 16]]
        else:
            signature[parameter] = "i32"
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes)
    return triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": warps})


def main(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = pathlib.Path(planted.__file__)
    facts = {}
    for name, (warps, parameters) in headers(path.read_text()).items():
        for variant in ("bug", "fixed"):
            compiled = compile_variant(name, warps, parameters, variant == "fixed")
            text = compiled.asm["ptx"].replace(str(path.parent), ".")
            (folder / f"{name}.{variant}.ptx").write_text(text[: text.find("\t.section")])
            facts[f"{name}.{variant}"] = compiled.metadata.shared
    (folder / "facts.json").write_text(json.dumps(facts, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
