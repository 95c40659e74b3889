import torch

import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    # The mask was forgotten.
    tl.store(y_ptr + offsets, 2 * x)


x, y = torch.arange(100, dtype=torch.float32), torch.zeros(100)
double_kernel[(1, )](x, y, 100, BLOCK=128)
print("not checked")
