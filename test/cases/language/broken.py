import triton
import triton.language as tl

@triton.jit
def half(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr +

@triton.jit
def whole(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)

def go(x:
    whole[(1,)](x, 1, BLOCK=16
