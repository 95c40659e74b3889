#@case {"kernel": "negate", "launches": [{"blocks": 8, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def negate(x, y, n, BLOCK: tl.constexpr):
    for at in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = at + tl.arange(0, BLOCK)
        tl.store(y + i, -tl.load(x + i, mask=i < n), mask=i < n)  #@ instructions=4096


def run(x, workers):
    y = torch.empty_like(x)
    negate[(workers,)](x, y, x.numel(), BLOCK=1024)
    return y
