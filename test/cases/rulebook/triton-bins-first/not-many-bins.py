#@case {"kernel": "count", "spec": {"inputs": {"code": {"dtype": "int32", "shape": ["n"]}}, "outputs": {"hist": {"dtype": "int32", "shape": [65536]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def count(code, hist, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.load(code + i, mask=i < n, other=0)
    tl.atomic_add(hist + c, 1, mask=i < n)  #@ globalAtomicPasses=50000 globalAtomics=10000


def run(code):
    hist = torch.zeros(65536, dtype=torch.int32)
    count[(triton.cdiv(code.numel(), 512),)](code, hist, code.numel(), BLOCK=512)
    return hist
