#@case {"kernel": "gated"}
import torch
import triton
import triton.language as tl


@triton.jit
def gated(gate, up, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(gate + at, mask=at < n, other=0.0)  #@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096
    u = tl.load(up + at, mask=at < n, other=0.0)  #@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096
    tl.store(out + at, g * tl.sigmoid(g) * u, mask=at < n)


def swiglu(both: torch.Tensor) -> torch.Tensor:
    gate, up = both.split(both.shape[-1] // 2, dim=-1)
    gate = gate.contiguous()
    up = up.contiguous()
    out = torch.empty_like(gate)
    n = gate.numel()
    gated[(triton.cdiv(n, 1024),)](gate, up, out, n, BLOCK=1024)
    return out
