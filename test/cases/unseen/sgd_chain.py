import torch, triton
import triton.language as tl

@triton.jit
def scale(x, c, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < n) * c, mask=i < n)

@triton.jit
def blend(s, g, beta, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    a = tl.load(s + i, mask=m)
    b = tl.load(g + i, mask=m)
    tl.store(s + i, beta * a + (1.0 - beta) * b, mask=m)

@triton.jit
def move(p, s, lr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(p + i, tl.load(p + i, mask=m) - lr * tl.load(s + i, mask=m), mask=m)

def sgd(p, g, s, lr: float, beta: float, decay: float):
    n = p.numel()
    grid = (triton.cdiv(n, 1024),)
    scale[grid](g, 0.5, n, B=1024)
    scale[grid](p, 1.0 - decay, n, B=1024)
    blend[grid](s, g, beta, n, B=1024)
    move[grid](p, s, lr, n, B=1024)
    return p
