#@case {"kernel": "lift_kernel", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def lift_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  #@ instructions=900
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=at < n), mask=at < n)


def lift(x):
    y = torch.empty_like(x)
    for i in range(x.shape[0]):
        lift_kernel[(triton.cdiv(x.shape[1], 256),)](x[i], y[i], x.shape[1], BLOCK=256)
    return y
