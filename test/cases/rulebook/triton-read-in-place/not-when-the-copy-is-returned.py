#@case {"kernel": "sum_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)  #@ globalLoadSectors=4096
    tl.store(y_ptr + at, x * x, mask=at < n)


def squares(x):
    turned = x.t().contiguous()
    y = torch.empty_like(turned)
    sum_kernel[(triton.cdiv(x.numel(), 1024),)](turned, y, x.numel(), BLOCK=1024)
    return y, turned
