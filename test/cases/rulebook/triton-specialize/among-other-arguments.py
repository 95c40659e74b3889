#@case {"kernel": "cap"}
import torch
import triton
import triton.language as tl

@triton.jit(noinline=False, do_not_specialize_on_alignment=["n"])
def cap(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + at, mask=at < n)  #@ globalLoadRequests=4096 globalBytesRequested=262144
    tl.store(y_ptr + row * stride + at, tl.minimum(x, 1.0), mask=at < n)  #@ globalStoreRequests=4096 globalBytesRequested=262144

def capped(x):
    y = torch.empty_like(x)
    cap[(x.shape[0],)](x, y, x.shape[1], x.stride(0), BLOCK=1024)
    return y
