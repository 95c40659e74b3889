"""A broad corpus of Triton kernels: what the language can emit. Each works on 1-D or square tiles and is compiled by `corpus.py`."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def dot_kernel(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, KIND: tl.constexpr):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(a_ptr + rows[:, None] * K + inner[None, :])
    b = tl.load(b_ptr + inner[:, None] * N + columns[None, :])
    if KIND == 0:
        c = tl.dot(a, b)
    elif KIND == 1:
        c = tl.dot(a, b, out_dtype=tl.int32)
    elif KIND == 2:
        c = tl.dot(a, b, input_precision="ieee")
    elif KIND == 3:
        c = tl.dot(a, b, input_precision="tf32x3")
    else:
        c = tl.dot(a, b, out_dtype=tl.float16)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], c)


@triton.jit
def dot_scaled_kernel(a_ptr, as_ptr, b_ptr, bs_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, inner, groups = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K), tl.arange(0, K // 32)
    a = tl.load(a_ptr + rows[:, None] * K + inner[None, :])
    b = tl.load(b_ptr + inner[:, None] * N + columns[None, :])
    c = tl.dot_scaled(a, tl.load(as_ptr + rows[:, None] * (K // 32) + groups[None, :]), "e4m3", b, tl.load(bs_ptr + columns[:, None] * (K // 32) + groups[None, :]), "e4m3")
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], c)


@triton.jit
def sort_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.sort(x))
    tl.store(out_ptr + N + offsets, tl.flip(x))


@triton.jit
def add_pair(a, b):
    return a + b


@triton.jit
def scan_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.cumsum(x, axis=0))
    tl.store(out_ptr + N + offsets, tl.associative_scan(x, 0, add_pair, reverse=True))
    tl.store(out_ptr + 2 * N + offsets, tl.cumprod(x, axis=0))
    tl.store(out_ptr + 3 * N, tl.argmax(x, axis=0))
    tl.store(out_ptr + 3 * N + 1, tl.argmin(x, axis=0))
    tl.store(out_ptr + 3 * N + 2, tl.min(x, axis=0))
    tl.store(out_ptr + 3 * N + 3, tl.reduce(x, 0, add_pair))


@triton.jit
def histogram_kernel(x_ptr, out_ptr, N: tl.constexpr, BINS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    tl.store(out_ptr + tl.arange(0, BINS), tl.histogram(x, BINS))


@triton.jit
def gather_kernel(x_ptr, index_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(out_ptr + offsets, tl.gather(tl.load(x_ptr + offsets), tl.load(index_ptr + offsets), axis=0))


@triton.jit
def atomics_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.atomic_add(out_ptr + offsets % 7, x)
    tl.atomic_max(out_ptr + 8 + offsets % 7, x)
    tl.atomic_min(out_ptr + 16 + offsets % 7, x, sem="relaxed")
    tl.atomic_xchg(out_ptr + 24 + offsets, x, scope="cta")


@triton.jit
def logic_atomics_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.atomic_and(out_ptr + offsets % 7, x, sem="acquire")
    tl.atomic_or(out_ptr + 8 + offsets % 7, x, sem="release", scope="sys")
    tl.atomic_xor(out_ptr + 16 + offsets % 7, x)
    tl.atomic_cas(out_ptr + 24 + offsets, x, x + 1)
    tl.debug_barrier()


@triton.jit
def random_kernel(out_ptr, seed, N: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(out_ptr + offsets, tl.rand(seed, offsets))
    tl.store(out_ptr + N + offsets, tl.randn(seed, offsets))
    tl.store(out_ptr + 2 * N + offsets, tl.randint(seed, offsets).to(tl.float32))


@triton.jit
def math_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    y = tl.exp(x) + tl.exp2(x) + tl.log(x) + tl.log2(x) + tl.sin(x) + tl.cos(x) + tl.sqrt(x) + tl.rsqrt(x) + tl.abs(x) + tl.floor(x) + tl.ceil(x) + tl.erf(x) + tl.sigmoid(x)
    y += tl.fma(x, y, x) + tl.maximum(x, y) + tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL) + tl.clamp(x, -1.0, 1.0) + tl.where(x > 0, x, -x) + tl.sqrt_rn(x) + tl.div_rn(x, y) + tl.fdiv(x, y)
    y += libdevice.tanh(x) + libdevice.pow(x, y) + libdevice.atan2(x, y) + libdevice.erfinv(x) + libdevice.lgamma(x) + libdevice.j0(x) + libdevice.fast_expf(x) + libdevice.rint(x) + libdevice.fmod(x, y)
    tl.store(out_ptr + offsets, y)


@triton.jit
def integers_kernel(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x, y = tl.load(x_ptr + offsets), tl.load(y_ptr + offsets)
    z = x // y + x % y + (x << 3) + (x >> 2) + (x & y) + (x | y) + (x ^ y) + ~x + tl.umulhi(x.to(tl.uint32), y.to(tl.uint32)).to(x.dtype) + tl.cdiv(x, 5)
    z += libdevice.popc(x.to(tl.int32)).to(x.dtype) + libdevice.clz(x.to(tl.int32)).to(x.dtype) + libdevice.brev(x.to(tl.int32)).to(x.dtype)
    tl.store(out_ptr + offsets, z)


@triton.jit
def casts_kernel(x_ptr, out_ptr, N: tl.constexpr, MIDDLE: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets).to(MIDDLE).to(out_ptr.dtype.element_ty))


@triton.jit
def shapes_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.reshape(tl.load(x_ptr + offsets[:, None] * N + offsets[None, :]), (N * N,))
    left, right = tl.split(tl.reshape(x, (N * N // 2, 2)))
    y = tl.join(right, left)
    y = tl.trans(tl.reshape(y, (N, N)))
    y = tl.sum(y, axis=1)[:, None] + tl.max(y, axis=0)[None, :] + tl.interleave(y, y).reshape((2, N, N)).sum(axis=0) + tl.cumsum(y, axis=1)
    tl.store(out_ptr + offsets[:, None] * N + offsets[None, :], y)


@triton.jit
def hints_kernel(x_ptr, out_ptr, n, N: tl.constexpr):
    offsets = tl.multiple_of(tl.max_contiguous(tl.arange(0, N), N), 16)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0, eviction_policy="evict_first")
    y = tl.load(x_ptr + offsets, cache_modifier=".cg")
    tl.store(out_ptr + offsets, x + y, cache_modifier=".cs")
    tl.store(out_ptr + N + offsets, x, cache_modifier=".wt", mask=offsets < n)
    tl.device_assert(n > 0, "n")


@triton.jit
def pipeline_kernel(x_ptr, y_ptr, out_ptr, n, N: tl.constexpr, STAGES: tl.constexpr):
    rows = tl.arange(0, N)
    total = tl.zeros((N, N), tl.float32)
    for start in tl.range(0, n, N, num_stages=STAGES):
        x = tl.load(x_ptr + rows[:, None] * n + start + rows[None, :])
        y = tl.load(y_ptr + (start + rows[:, None]) * N + rows[None, :])
        total = tl.dot(x, y, total)
    tl.store(out_ptr + rows[:, None] * N + rows[None, :], total)


@triton.jit
def descriptor_kernel(x_ptr, out_ptr, n, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, [n, n], [n, 1], [N, N])
    target = tl.make_tensor_descriptor(out_ptr, [n, n], [n, 1], [N, N])
    target.store([0, 0], source.load([0, 0]) + 1)


@triton.jit
def inline_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    y = tl.inline_asm_elementwise("lop3.b32 $0, $1, 15, 240, 0xea;", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out_ptr + offsets, y)
