#@case {"kernel": "sums_of_padded"}
import torch
import triton
import triton.language as tl


@triton.jit
def sums_of_padded(x_ptr, lengths_ptr, y_ptr, padded, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    length = tl.load(lengths_ptr + row)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, padded, BLOCK):  #@ instructions=9000
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * padded + at, mask=at < length, other=0.0)
    tl.store(y_ptr + row, tl.sum(total))


def run(x, lengths):
    y = torch.empty(x.shape[0], device=x.device)
    sums_of_padded[(x.shape[0],)](x, lengths, y, x.shape[1], BLOCK=256)
    return y
