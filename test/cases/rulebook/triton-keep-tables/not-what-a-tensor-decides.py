#@case {"kernel":"scale_kernel","gaps":600,"spec":{"inputs":{"q":{"dtype":"float16","shape":["n","h","d"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, scales, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)  #@ globalLoadRequests=400
    tl.store(y + row * n + i, v * tl.load(scales + row), mask=i < n)


def scaled(x, strength):
    rows, n = x.shape
    y = torch.empty_like(x)
    scales = torch.arange(rows, device=x.device) * strength
    scale_kernel[(rows,)](x, scales, y, n, BLOCK=triton.next_power_of_2(n))
    return y
