#@case {"kernel": "twice"}
import triton
import triton.language as tl

PROGRAMS = 4


@triton.jit
def twice(x, n, programs, BLOCK: tl.constexpr):
    for block in range(tl.program_id(0), tl.cdiv(n, BLOCK), programs):
        i = block * BLOCK + tl.arange(0, BLOCK)
        tl.store(x + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)  #@ instructions=4096


def run(x):
    grid = (PROGRAMS,)
    twice[grid](x, x.numel(), PROGRAMS, BLOCK=256)
