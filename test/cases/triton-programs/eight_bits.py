"""A product of numbers of eight bits with four of mantissa and exponent each, which GPUs know from sm_89 on."""
import torch

import triton
import triton.language as tl


@triton.jit
def product_kernel(a_ptr, b_ptr, c_ptr, SIZE: tl.constexpr):
    offsets = tl.arange(0, SIZE)[:, None] * SIZE + tl.arange(0, SIZE)[None, :]
    tl.store(c_ptr + offsets, tl.dot(tl.load(a_ptr + offsets), tl.load(b_ptr + offsets)))


torch.manual_seed(1)
a, b = (torch.randn(32, 32).to(torch.float8_e4m3fn) for _ in range(2))
c = torch.zeros(32, 32)
product_kernel[(1, )](a, b, c, SIZE=32)
print("capability", torch.cuda.get_device_capability(), "agrees", torch.allclose(c, a.float() @ b.float(), atol=1e-5))
