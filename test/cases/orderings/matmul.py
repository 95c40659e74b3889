"""A product of halves by Triton; `python matmul.py` writes its PTX for sm_80 with one and with three stages."""

import pathlib

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def product(left, right, out, size: tl.constexpr, tile: tl.constexpr, depth: tl.constexpr):
    rows = tl.program_id(1) * tile + tl.arange(0, tile)
    columns = tl.program_id(0) * tile + tl.arange(0, tile)
    inner = tl.arange(0, depth)
    total = tl.zeros((tile, tile), dtype=tl.float32)
    for start in range(0, size, depth):
        first = tl.load(left + rows[:, None] * size + (start + inner)[None, :])
        second = tl.load(right + (start + inner)[:, None] * size + columns[None, :])
        total = tl.dot(first, second, total)
    tl.store(out + rows[:, None] * size + columns[None, :], total.to(tl.float16))


if __name__ == "__main__":
    for stages in (1, 3):
        compiled = triton.compile(
            ASTSource(
                product,
                signature={"left": "*fp16", "right": "*fp16", "out": "*fp16", "size": "constexpr", "tile": "constexpr", "depth": "constexpr"},
                constexprs={"size": 4096, "tile": 128, "depth": 32},
                attrs={(index,): [["tt.divisibility", 16]] for index in range(3)},
            ),
            target=GPUTarget("cuda", 80, 32),
            options={"num_warps": 4, "num_stages": stages},
        )
        # The lines of the program are no matter here, and name the machine it was compiled on.
        kept = [line for line in compiled.asm["ptx"].splitlines() if ".loc" not in line and ".file" not in line]
        text = "\n".join(kept).split("\t.section")[0]
        pathlib.Path(__file__).with_name(f"matmul-{stages}-stages.ptx").write_text(text.rstrip() + "\n")
        print(stages, "stages:", compiled.metadata.shared, "bytes of shared memory")
