#@case {"kernel": "matvec", "launches": [{"blocks": 8, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def matvec(x, w, scale, y, n, depth, ROWS: tl.constexpr, STEP: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    k = tl.arange(0, STEP)
    total = tl.zeros((ROWS,), dtype=tl.float32)
    for turn in range(0, tl.cdiv(depth, STEP)):
        at = turn * STEP
        inside = at + k < depth
        a = tl.load(x + at + k, mask=inside, other=0.0).to(tl.float32)  #@ instructions=4096
        b = tl.load(w + row[:, None] * depth + at + k[None, :], mask=(row[:, None] < n) & inside[None, :], other=0)
        total += tl.sum(b.to(tl.float32) * a[None, :], axis=1)
    factor = tl.load(scale + row, mask=row < n, other=0.0)
    tl.store(y + row, (total * factor).to(y.dtype.element_ty), mask=row < n)


def run(x, w, scale):
    n, depth = w.shape
    y = scale.new_empty(n)
    matvec[(triton.cdiv(n, 128),)](x, w, scale, y, n, depth, ROWS=128, STEP=64)
    return y.view(1, n), scale
