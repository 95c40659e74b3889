"""Triton kernels of the virtual GPU's cases. `capture.py` compiles them for sm_80 without a GPU."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside)
    tl.store(out_ptr + offsets, x + y, mask=inside)


@triton.jit
def softmax_kernel(out_ptr, in_ptr, in_stride, out_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    values = tl.load(in_ptr + row * in_stride + offsets, mask=inside, other=-float("inf"))
    values = values - tl.max(values, axis=0)
    powers = tl.exp(values)
    tl.store(out_ptr + row * out_stride + offsets, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_bk, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None] * stride_am + inner[None, :]
    b_ptrs = b_ptr + inner[:, None] * stride_bk + columns[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        a = tl.load(a_ptrs, mask=(rows[:, None] < m) & (inner[None, :] + start < k), other=0.0)
        b = tl.load(b_ptrs, mask=(inner[:, None] + start < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(a, b, total)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * stride_bk
    c_ptrs = c_ptr + rows[:, None] * stride_cm + columns[None, :]
    tl.store(c_ptrs, total.to(c_ptr.dtype.element_ty), mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def layer_norm_kernel(x_ptr, weight_ptr, bias_ptr, out_ptr, stride, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + offsets, mask=offsets < columns, other=0.0).to(tl.float32)
        total += x
        squares += x * x
    mean = tl.sum(total, axis=0) / columns
    variance = tl.sum(squares, axis=0) / columns - mean * mean
    scale = 1 / tl.sqrt(variance + epsilon)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        x = tl.load(x_ptr + row * stride + offsets, mask=inside, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + offsets, mask=inside).to(tl.float32)
        bias = tl.load(bias_ptr + offsets, mask=inside).to(tl.float32)
        tl.store(out_ptr + row * stride + offsets, (x - mean) * scale * weight + bias, mask=inside)


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, length, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, WIDTH: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    width = tl.arange(0, WIDTH)
    q = tl.load(q_ptr + rows[:, None] * WIDTH + width[None, :], mask=rows[:, None] < length, other=0.0)
    most = tl.full((BLOCK_M,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK_M,), dtype=tl.float32)
    result = tl.zeros((BLOCK_M, WIDTH), dtype=tl.float32)
    for start in range(0, length, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + columns[:, None] * WIDTH + width[None, :], mask=columns[:, None] < length, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        scores = tl.where(columns[None, :] < length, scores, -float("inf"))
        new_most = tl.maximum(most, tl.max(scores, axis=1))
        correction = tl.exp(most - new_most)
        weights = tl.exp(scores - new_most[:, None])
        total = total * correction + tl.sum(weights, axis=1)
        v = tl.load(v_ptr + columns[:, None] * WIDTH + width[None, :], mask=columns[:, None] < length, other=0.0)
        result = tl.dot(weights.to(v.dtype), v, result * correction[:, None])
        most = new_most
    result = result / total[:, None]
    tl.store(out_ptr + rows[:, None] * WIDTH + width[None, :], result.to(out_ptr.dtype.element_ty), mask=rows[:, None] < length)


@triton.jit
def histogram_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    values = tl.load(x_ptr + offsets, mask=inside, other=0)
    tl.atomic_add(out_ptr + values, 1, mask=inside)


@triton.jit
def gelu_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside).to(tl.float32)
    y = 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))
    tl.store(out_ptr + offsets, y.to(out_ptr.dtype.element_ty), mask=inside)


@triton.jit
def matmul_kernel_i8(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_bk, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.int32)
    for start in range(0, k, BLOCK_K):
        a = tl.load(a_ptr + rows[:, None] * stride_am + inner[None, :] + start)
        b = tl.load(b_ptr + (inner[:, None] + start) * stride_bk + columns[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + rows[:, None] * stride_cm + columns[None, :], total)
