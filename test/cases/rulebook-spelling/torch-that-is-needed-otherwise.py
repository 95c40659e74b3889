#@case {"kernel": "doubled", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.py::layer", "arguments": ["x", "b", "k", "m"]}}, "inputs": {"x": {"dtype": "float32", "shape": ["m", "n"]}, "b": {"dtype": "float32", "shape": ["m", "k"]}, "k": {"dtype": "int32", "shape": ["m", "n"]}, "m": {"dtype": "float32", "shape": ["m", "n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def doubled(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)


def layer(x, other, kinds, mask):
    h = x * kinds
    h = h.masked_fill(mask, 0.0)
    if h.numel() > 4:
        h = h + other
    y = torch.empty_like(x)
    doubled[(triton.cdiv(x.numel(), 256),)](h, y, x.numel(), BLOCK=256)
    return torch.cumsum(y, 0)
