#@case {"kernel": "scaled"}
import torch
import triton
import triton.language as tl


@triton.jit
def scaled(x_ptr, s_ptr, y_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * n + at, mask=at < n, other=0.0)  #@ globalLoadSectors=4096
    tl.store(y_ptr + r * n + at, x / tl.load(s_ptr + r), mask=at < n)


def unit(x):
    s = x.norm(dim=-1)
    y = torch.empty_like(x)
    scaled[(x.shape[0],)](x, s, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y, s
