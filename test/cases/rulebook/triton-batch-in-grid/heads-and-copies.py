#@case {"kernel": "turn_pairs", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def turn_pairs(q_ptr, cos_ptr, o_ptr, step, o_step, HALF: tl.constexpr):
    row = tl.program_id(0)  #@ instructions=900
    at = tl.arange(0, HALF)
    c = tl.load(cos_ptr + row * HALF + at)
    x = tl.load(q_ptr + row * step + at)
    y = tl.load(q_ptr + row * step + HALF + at)
    tl.store(o_ptr + row * o_step + at, x * c - y)
    tl.store(o_ptr + row * o_step + HALF + at, y * c + x)


def turned(q, cos):
    rows, heads, size = q.shape
    out = torch.empty_like(q)
    for h in range(heads):
        part = q[:, h, :]
        made = torch.empty_like(part)
        turn_pairs[(rows,)](part, cos, made, part.stride(0), made.stride(0), HALF=size // 2)
        out[:, h, :] = made
    return out
