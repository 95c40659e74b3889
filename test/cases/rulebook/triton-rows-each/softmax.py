#@case {"kernel": "softmax"}
import torch
import triton
import triton.language as tl


@triton.jit
def softmax(scores, probs, width, scale, WIDTH: tl.constexpr):
    """One row of scores for each program."""
    row = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, WIDTH)
    s = tl.load(scores + row * width + k, mask=k < width, other=float("-inf")) * scale  #@ globalLoadRequests=4096 globalBytesRequested=262144
    e = tl.exp(s - tl.max(s, 0))
    tl.store(probs + row * width + k, e / tl.sum(e, axis=0), mask=k < width)


def run(x):
    y = torch.empty_like(x)
    grid = (x.shape[0],)
    WIDTH = triton.next_power_of_2(x.shape[1])
    softmax[grid](x, y, x.shape[1], 0.5, WIDTH=WIDTH)
    return y
