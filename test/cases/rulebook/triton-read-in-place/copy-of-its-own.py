#@case {"kernel": "gelu_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)  #@ globalLoadSectors=4096
    tl.store(y_ptr + at, 0.5 * x * (1.0 + tl.erf(x * 0.70710678)), mask=at < n)


def gelu(x):
    source = x.detach().clone()
    y = torch.empty_like(source)
    gelu_kernel[(triton.cdiv(source.numel(), 1024),)](source, y, source.numel(), BLOCK=1024)
    return y
