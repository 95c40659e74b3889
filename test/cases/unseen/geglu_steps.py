import torch
import triton
import triton.language as tl


@triton.jit
def _gelu(src, dst, numel, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    idx = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    valid = idx < numel
    g = tl.load(src + idx, mask=valid, other=0.0)
    inner = 0.7978845608 * (g + 0.044715 * g * g * g)
    th = 1 - 2 / (tl.exp(2 * inner) + 1)
    tl.store(dst + idx, 0.5 * g * (1 + th), mask=valid)


@triton.jit
def _hadamard(a_ptr, b_ptr, c_ptr, size, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    where = tl.program_id(0) * BLOCK + lanes
    a = tl.load(a_ptr + where, mask=where < size)
    b = tl.load(b_ptr + where, mask=where < size)
    tl.store(c_ptr + where, a * b, mask=where < size)


def geglu(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    act = torch.empty_like(gate)
    out = torch.empty_like(gate)
    numel = gate.numel()
    grid = lambda meta: (triton.cdiv(numel, meta["BLOCK_SIZE"]),)
    _gelu[grid](gate, act, numel, BLOCK_SIZE=512)
    _hadamard[(triton.cdiv(numel, 512),)](act, up, out, numel, BLOCK=512)
    return out
