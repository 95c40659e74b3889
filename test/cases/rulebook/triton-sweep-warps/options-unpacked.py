#@case {"kernel": "norms"}
import triton
import triton.language as tl


@triton.jit
def norms(x, y, n, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * n + c, mask=c < n, other=0.0)  #@ instructions=4096
    tl.store(y + tl.program_id(0), tl.sum(v * v, axis=0))


def run(x, y):
    options = dict(num_warps=16)
    norms[(x.shape[0],)](x, y, x.shape[1], BLOCK=1024, **options)
