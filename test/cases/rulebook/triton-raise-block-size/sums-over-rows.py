#@case {"kernel":"gather_sum"}
import torch
import triton
import triton.language as tl


@triton.jit
def gather_sum(rows, first, table, y, width, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    begin = tl.load(first + group)
    end = tl.load(first + group + 1)
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(begin, end):
        row = tl.load(rows + at)  #@ globalLoadRequests=1000 globalBytesRequested=8000
        total += tl.load(table + row * width + i, mask=i < width, other=0.0)  #@ globalLoadRequests=2000 globalBytesRequested=128000
    tl.store(y + group * width + i, total, mask=i < width)


def gathered(rows, first, table):
    groups, width = first.numel() - 1, table.shape[1]
    y = torch.empty((groups, width), device=table.device)
    gather_sum[(groups, triton.cdiv(width, 16))](rows, first, table, y, width, BLOCK=16, num_warps=1)
    return y
