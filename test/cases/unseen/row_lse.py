import torch
import triton
import triton.language as tl


@triton.jit
def row_lse_kernel(x_ptr, lse_ptr, tau, width, CHUNK: tl.constexpr):
    """Online log-sum-exp of each row."""
    row = tl.program_id(0)
    base = x_ptr + row * width
    peak = -float("inf")
    mass = 0.0
    for c0 in range(0, width, CHUNK):
        c = c0 + tl.arange(0, CHUNK)
        v = tl.load(base + c, mask=c < width, other=-float("inf")) * tau
        now = tl.maximum(peak, tl.max(v, axis=0))
        mass = mass * tl.exp(peak - now) + tl.sum(tl.exp(v - now), axis=0)
        peak = now
    tl.store(lse_ptr + row, peak + tl.log(mass))


def row_lse(x, tau):
    rows, width = x.shape
    lse = torch.empty((rows,), device=x.device, dtype=torch.float32)
    row_lse_kernel[(rows,)](x, lse, tau, width, CHUNK=64)
    return lse
