import torch
import triton
import triton.language as tl

# Speech front end: the pointwise half of an LSTM step. Gates come as [4, batch * hidden]: input, forget, cell, output.

BLOCK = 1024


@triton.jit
def sigmoid_fwd(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + i, mask=i < n)
    tl.store(dst + i, 1.0 / (1.0 + tl.exp(-x)), mask=i < n)


@triton.jit
def tanh_fwd(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + i, mask=i < n)
    tl.store(dst + i, 2.0 * tl.sigmoid(2.0 * x) - 1.0, mask=i < n)


@triton.jit
def blend_fwd(f, c, i_gate, g, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    kept = tl.load(f + i, mask=i < n) * tl.load(c + i, mask=i < n)
    written = tl.load(i_gate + i, mask=i < n) * tl.load(g + i, mask=i < n)
    tl.store(dst + i, kept + written, mask=i < n)


@triton.jit
def multiply_fwd(a, b, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(a + i, mask=i < n) * tl.load(b + i, mask=i < n), mask=i < n)


def _unary(kernel, src):
    dst = torch.empty_like(src)
    n = src.numel()
    kernel[(triton.cdiv(n, BLOCK),)](src, dst, n, BLOCK=BLOCK)
    return dst


def lstm_pointwise(gates, cell):
    n = cell.numel()
    grid = (triton.cdiv(n, BLOCK),)
    i_gate = _unary(sigmoid_fwd, gates[0])
    f_gate = _unary(sigmoid_fwd, gates[1])
    candidate = _unary(tanh_fwd, gates[2])
    o_gate = _unary(sigmoid_fwd, gates[3])
    new_cell = torch.empty_like(cell)
    blend_fwd[grid](f_gate, cell, i_gate, candidate, new_cell, n, BLOCK=BLOCK)
    squashed = _unary(tanh_fwd, new_cell)
    hidden = torch.empty_like(cell)
    multiply_fwd[grid](o_gate, squashed, hidden, n, BLOCK=BLOCK)
    return hidden, new_cell
