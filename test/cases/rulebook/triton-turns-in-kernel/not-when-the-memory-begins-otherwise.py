#@case {"kernel": "cell", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def cell(x_ptr, old_ptr, new_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  #@ instructions=900
    c = tl.load(old_ptr + offs, mask=offs < n) + tl.load(x_ptr + offs, mask=offs < n)
    tl.store(new_ptr + offs, c, mask=(offs < n) & (c > 0))


def positive_sums(x):
    c = torch.zeros(x.shape[1], device=x.device)
    for step in range(x.shape[0]):
        following = torch.zeros_like(c)
        cell[(triton.cdiv(c.numel(), 512),)](x[step], c, following, c.numel(), BLOCK=512)
        c = following
    return c
