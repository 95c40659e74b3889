#@case {"kernel": "column_sums", "launches": [{"blocks": 16384, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def column_sums(x, y, rows, cols, BR: tl.constexpr, BC: tl.constexpr):
    c = tl.program_id(1) * BC + tl.arange(0, BC)
    rs = tl.program_id(0) * BR + tl.arange(0, BR)
    inside = (rs[:, None] < rows) & (c[None, :] < cols)
    tile = tl.load(x + rs[:, None] * cols + c[None, :], mask=inside, other=0.0)
    part = tl.sum(tile, axis=0)
    tl.atomic_add(y + c, part, mask=c < cols)  #@ globalAtomicPasses=500000


def run(x):
    rows, cols = x.shape
    y = torch.zeros(cols, device=x.device, dtype=x.dtype)
    column_sums[(triton.cdiv(rows, 16), triton.cdiv(cols, 64))](x, y, rows, cols, BR=16, BC=64)
    return y
