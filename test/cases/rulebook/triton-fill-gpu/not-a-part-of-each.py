#@case {"kernel": "parts", "launches": [{"blocks": 8, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def parts(x, y, n, BLOCK: tl.constexpr):
    me = tl.program_id(0)
    total = 0.0
    for at in range(me * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = at + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + i, mask=i < n, other=0.0), axis=0)  #@ instructions=4096
    tl.store(y + me, total)


def run(x, workers):
    y = torch.empty(workers, device=x.device)
    parts[(workers,)](x, y, x.numel(), BLOCK=1024)
    return y.sum()
