import torch
import triton
import triton.language as tl


# A signal and half of itself, so many samples later and round its end.
@triton.jit
def echo_kernel(x, y, shift, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    own = tl.load(x + at, mask=inside, other=0.0)
    later = tl.load(x + (at + shift) % n, mask=inside, other=0.0)
    tl.store(y + at, own + 0.5 * later, mask=inside)


def echo(x, shift):
    y = torch.empty_like(x)
    n = x.shape[0]
    echo_kernel[(triton.cdiv(n, 256),)](x, y, shift, n, BLOCK=256)
    return y
