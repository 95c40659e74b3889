#@case {"kernel": "halve"}
import triton
import triton.language as tl


@triton.jit
def halve(x, n, SPAN: tl.constexpr):
    at = tl.program_id(0) * SPAN + tl.arange(0, SPAN)
    tl.store(x + at, tl.load(x + at, mask=at < n) / 2, mask=at < n)  #@ instructions=4096


def run(x):
    halve[(triton.cdiv(x.numel(), 256),)](x, x.numel(), SPAN=256)
