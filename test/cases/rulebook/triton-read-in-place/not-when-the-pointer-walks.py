#@case {"kernel": "walk_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def walk_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        total += tl.load(x_ptr + at, mask=start + at < n, other=0.0)  #@ globalLoadSectors=4096
        x_ptr += BLOCK
    tl.store(y_ptr, tl.sum(total, axis=0))


def total(x):
    turned = x.t().contiguous()
    y = torch.empty(1)
    walk_kernel[(1,)](turned, y, x.numel(), BLOCK=1024)
    return y
