#@case {"kernel": "smooth"}
import torch
import triton
import triton.language as tl


@triton.jit
def smooth(x, y, rows, n, LANES: tl.constexpr):
    row = tl.program_id(0) * LANES + tl.arange(0, LANES)
    level = tl.zeros((LANES,), tl.float32)
    for t in range(n):
        level = 0.9 * level + tl.load(x + row * n + t, mask=row < rows, other=0.0)  #@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
        tl.store(y + row * n + t, level, mask=row < rows)


def run(x):
    y = torch.empty_like(x)
    smooth[(triton.cdiv(x.shape[0], 128),)](x, y, x.shape[0], x.shape[1], LANES=128)
    return y
