#@case {"kernel": "smooth", "launches": [{"blocks": 64, "threadsPerBlock": 128, "times": 10}]}
import torch
import triton
import triton.language as tl


@triton.jit
def smooth(field, nearer, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = tl.load(field + i, mask=i < n, other=0.0)  #@ globalLoadRequests=100
    left = tl.load(field + i - 1, mask=(i > 0) & (i < n), other=0.0)
    right = tl.load(field + i + 1, mask=i + 1 < n, other=0.0)
    tl.store(nearer + i, 0.5 * here + 0.25 * (left + right), mask=i < n)


def smoothed(start, rounds=10):
    field = start.clone()
    nearer = torch.empty_like(field)
    n = field.numel()
    for _ in range(rounds):
        smooth[(triton.cdiv(n, 256),)](field, nearer, n, BLOCK=256)
        field.copy_(nearer)
    return field
