#@case {"kernel": "lift_kernel", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def lift_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  #@ instructions=900
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, x * 2, mask=at < n)


def lift(signals, lengths):
    out = torch.zeros_like(signals)
    for i, n in enumerate(lengths):
        lift_kernel[(triton.cdiv(n, 256),)](signals[i], out[i], n, BLOCK=256)
    return out
