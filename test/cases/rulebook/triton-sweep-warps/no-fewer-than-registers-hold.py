#@case {"kernel": "row_max", "facts": {"registers": 168}}
import torch
import triton
import triton.language as tl

@triton.jit
def row_max(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + at, mask=at < n, other=float("-inf"))  #@ globalLoadRequests=512 instructions=4096
    tl.store(y_ptr + row, tl.max(x, 0))

def maxima(x):
    y = torch.empty(x.shape[0], device=x.device)
    row_max[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=4)
    return y
