#@case {"kernel": "totals", "launches": [{"blocks": 8, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def totals(x, y, steps, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for step in range(steps):
        total += tl.load(x + (row * steps + step) * width + at, mask=at < width, other=0.0)  #@ instructions=40000
        tl.store(y + (row * steps + step) * width + at, total, mask=at < width)


def run(x):
    y = torch.empty_like(x)
    rows, steps, width = x.shape
    totals[(rows,)](x, y, steps, width, BLOCK=triton.next_power_of_2(width))
    return y
