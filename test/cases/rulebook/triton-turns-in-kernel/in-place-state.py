#@case {"kernel": "ema_step", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def ema_step(x_ptr, h_ptr, y_ptr, n, decay, BLOCK: tl.constexpr):
    """One step of a running mean."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  #@ instructions=900
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    h = tl.load(h_ptr + at, mask=inside)
    h = decay * h + (1.0 - decay) * x
    tl.store(h_ptr + at, h, mask=inside)
    tl.store(y_ptr + at, h, mask=inside)


def ema(x, decay=0.9):
    steps, n = x.shape
    h = torch.zeros(n, device=x.device)
    y = torch.empty_like(x)
    grid = (triton.cdiv(n, 256),)
    for t in range(steps):
        ema_step[grid](x[t], h, y[t], n, decay, BLOCK=256)
    return y, h
