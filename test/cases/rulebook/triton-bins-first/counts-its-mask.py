#@case {"kernel": "count", "spec": {"inputs": {"code": {"dtype": "int32", "shape": ["n"]}}, "outputs": {"hist": {"dtype": "int32", "shape": [256]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def count(code, hist, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.load(code + i, mask=i < n, other=0)
    good = (i < n) & (c >= 0)
    tl.atomic_add(hist + c, good.to(tl.int32), mask=good)  #@ globalAtomicPasses=50000 globalAtomics=10000


def run(code):
    hist = torch.zeros(256, dtype=torch.int32)
    n = code.numel()
    count[(triton.cdiv(n, 512),)](code, hist, n, BLOCK=512)
    return hist
