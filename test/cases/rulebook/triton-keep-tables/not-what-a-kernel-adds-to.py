#@case {"kernel":"totals_kernel","gaps":600,"spec":{"inputs":{"q":{"dtype":"float16","shape":["n","h","d"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def totals_kernel(x, bins, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)  #@ globalLoadRequests=400
    tl.atomic_add(bins + v, 1, mask=i < n)


def totals(x, count: int):
    bins = torch.zeros(count, device=x.device, dtype=torch.int32)
    totals_kernel[(triton.cdiv(x.numel(), 1024),)](x, bins, x.numel(), BLOCK=1024)
    return bins
