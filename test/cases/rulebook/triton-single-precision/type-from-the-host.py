#@case {"kernel": "mean", "spec": {"inputs": {"x": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["n"]}}}}
import torch
import triton
from triton import language as lang


@triton.jit
def mean(x, y, n, T: lang.constexpr, BLOCK: lang.constexpr):
    part = lang.zeros((BLOCK,), dtype=T)
    for start in range(0, n, BLOCK):
        i = start + lang.arange(0, BLOCK)
        part += lang.cast(lang.load(x + i, mask=i < n, other=0.0), T)  #@ fp64Instructions=5000
    lang.store(y, lang.sum(part, axis=0) / n)


def run(x):
    y = torch.empty(1, dtype=torch.float64, device=x.device)
    mean[(1,)](x, y, x.numel(), T=lang.float64, BLOCK=256)
    return y.to(torch.float32)
