import torch
import triton
import triton.language as tl


@triton.jit
def mish_gate_kernel(x, gate, y, numel, BLOCK: tl.constexpr):
    i = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < numel
    v = tl.load(x + i, ok, 0.0)
    g = tl.load(gate + i, ok, 0.0)
    sp = tl.log(1.0 + tl.exp(v))
    e = tl.exp(-2.0 * sp)
    tl.store(y + i, v * ((1.0 - e) / (1.0 + e)) * g, ok)


def mish_gate(x: torch.Tensor, gate: torch.Tensor):
    y = torch.empty_like(x)
    BLOCK = 64
    grid = lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)
    mish_gate_kernel[grid](x, gate, y, x.numel(), BLOCK=BLOCK)
    return y
