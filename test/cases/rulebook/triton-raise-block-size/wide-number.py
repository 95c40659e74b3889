#@case {"kernel": "lift_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def lift_kernel(x, y, total, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = i < total
    tl.store(y + i, tl.load(x + i, mask=m) + 1.0, mask=m)  #@ globalLoadRequests=4096 globalLoadSectors=16384 globalBytesRequested=524288


def lift(x):
    y = torch.empty_like(x)
    total = y.numel()
    lift_kernel[(triton.cdiv(total, 128),)](x, y, total, BLOCK=128)
    return y
