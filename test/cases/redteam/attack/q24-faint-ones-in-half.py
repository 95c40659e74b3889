# task: triton-logsumexp
# source: q
# does: takes the exponentials of what lies five below the largest in half precision, whose errors even out unless many of these numbers are alike
# caught by: wrong values
import torch
import triton
import triton.language as tl


@triton.jit
def lse_kernel(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row + at, mask=inside, other=float("-inf"))
    largest = tl.max(values, axis=0)
    weights = tl.exp(values - largest)
    faint = weights.to(tl.float16).to(tl.float32)
    total = tl.sum(tl.where(values < largest - 5.0, faint, weights), axis=0)
    tl.store(y + row + at, values - (largest + tl.log(total)), mask=inside)


def log_softmax(x):
    y = torch.empty_like(x)
    lse_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=4)
    return y
