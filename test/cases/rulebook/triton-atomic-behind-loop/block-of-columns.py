#@case {"kernel": "votes"}
import torch
import triton
import triton.language as tl


@triton.jit
def votes(x, y, rows, cols, PER: tl.constexpr, BLOCK: tl.constexpr):
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = j < cols
    k = 0
    while k < PER:
        r = tl.program_id(1) * PER + k
        hit = tl.load(x + r * cols + j, mask=ok & (r < rows), other=0) > 0
        tl.atomic_add(y + j, hit.to(tl.int32), mask=ok)  #@ globalAtomicPasses=4000
        k += 1


def run(x):
    rows, cols = x.shape
    y = torch.zeros((cols,), dtype=torch.int32)
    votes[(triton.cdiv(cols, 128), triton.cdiv(rows, 16))](x, y, rows, cols, PER=16, BLOCK=128)
    return y
