#@case {"kernel": "doubled", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.py::layer", "arguments": ["x", "r", "b"]}}, "inputs": {"x": {"dtype": "float16", "shape": ["m", "n"]}, "r": {"dtype": "float16", "shape": ["m", "n"]}, "b": {"dtype": "float16", "shape": ["n"]}}}}
import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def doubled(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def tripled(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 3 * tl.load(x + i, mask=i < n), mask=i < n)


def layer(x, residual, bias):
    h = F.relu(x) + 0.5 * residual
    y = torch.empty_like(h)
    doubled[(triton.cdiv(h.numel(), 256),)](h, y, h.numel(), BLOCK=256)
    gated = torch.sigmoid(y) * x
    z = torch.empty_like(gated)
    tripled[(triton.cdiv(h.numel(), 256),)](gated, z, h.numel(), BLOCK=256)
    return z
