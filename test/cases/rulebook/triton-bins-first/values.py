#@case {"kernel": "mass", "spec": {"inputs": {"code": {"dtype": "int32", "shape": ["n"]}}, "outputs": {"out": {"dtype": "float32", "shape": [8]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def mass(lab, w, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    bin_of = out + tl.load(lab + i, mask=keep, other=0)
    v = tl.load(w + i, mask=keep, other=0.0)
    tl.atomic_add(bin_of, v * v, mask=keep, sem="relaxed")  #@ globalAtomicPasses=50000 globalAtomics=10000


def run(lab, w):
    out = torch.zeros(8)
    grid = lambda meta: (triton.cdiv(lab.numel(), meta["BLOCK"]),)
    mass[grid](lab, w, out, lab.numel(), BLOCK=1024)
    return out
