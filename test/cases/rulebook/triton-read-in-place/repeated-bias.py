#@case {"kernel": "_fused_bias_gelu"}
from typing import Optional

import torch
import triton
import triton.language as tl


@triton.jit
def _fused_bias_gelu(inp, bias, dst, total, BLOCK: tl.constexpr):
    idx = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    ok = idx < total
    v = tl.load(inp + idx, mask=ok) + tl.load(bias + idx, mask=ok)  #@ globalLoadSectors=4096
    g = 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476))
    tl.store(dst + idx, g, mask=ok)


def bias_gelu(hidden: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """hidden: (tokens, features), bias: (features,)"""
    assert hidden.is_contiguous()
    full = bias.unsqueeze(0).expand_as(hidden).contiguous()
    out = torch.empty_like(hidden)
    n = hidden.numel()
    _fused_bias_gelu[(triton.cdiv(n, 1024),)](hidden, full, out, n, BLOCK=1024)
    return out


class BiasGelu(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(features))

    def forward(self, x):
        return bias_gelu(x, self.bias)
