#@case {"kernel": "mean_square"}
import torch
import triton
import triton.language as tl


@triton.jit
def mean_square(x_ptr, out_ptr, T, C, inv_t, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for t in range(T):
        v = tl.load(x_ptr + t * C + c, mask=c < C, other=0.0)
        acc += v * v * inv_t  #@ instructions=4000
    tl.store(out_ptr + c, acc, mask=c < C)


def run(x):
    out = torch.empty(x.shape[1], device=x.device)
    mean_square[(x.shape[1] // 256,)](x, out, x.shape[0], x.shape[1], 1.0 / x.shape[0], BLOCK=256)
    return out
