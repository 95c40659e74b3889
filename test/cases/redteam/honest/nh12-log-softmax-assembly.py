# task: triton-logsumexp
# does: to the base of two, with the power and the logarithm as instructions in assembly, two rows a program one behind the other

import torch
import triton
import triton.language as tl


@triton.jit
def power(v):
    return tl.inline_asm_elementwise(
        "ex2.approx.ftz.f32 $0, $1;", "=f,f", [v], dtype=tl.float32, is_pure=True, pack=1
    )


@triton.jit
def logarithm(v):
    return tl.inline_asm_elementwise("lg2.approx.f32 $0, $1;", "=f,f", [v], dtype=tl.float32, is_pure=True, pack=1)


@triton.jit
def lse_kernel(x, y, rows, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < columns
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        values = tl.load(x + row * columns + at, mask=inside, other=float("-inf"))
        off = values - tl.max(values, axis=0)
        # All powers lie from 0 to 1 and one is 1, so that the sum's logarithm is not below 0.
        total = tl.sum(power(off * 1.4426950408889634), axis=0)
        tl.store(y + row * columns + at, off - logarithm(total) * 0.6931471805599453, mask=inside)


def log_softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    lse_kernel[(triton.cdiv(rows, 2),)](x, y, rows, columns, BLOCK=triton.next_power_of_2(columns), num_warps=4)
    return y
