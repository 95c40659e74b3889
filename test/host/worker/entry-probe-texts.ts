/** Files as strangers write them, each with a Triton kernel and host code that launches it. */
const head = "import torch, triton\nimport triton.language as tl\n";

export const norm = `${head}
@triton.jit
def norm_kernel(x, w, y, stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    value = tl.load(x + row * stride + cols, mask=cols < n_cols, other=0.0)
    scale = 1 / tl.sqrt(tl.sum(value * value, axis=0) / n_cols + eps)
    weight = tl.load(w + cols, mask=cols < n_cols)
    tl.store(y + row * stride + cols, value * scale * weight, mask=cols < n_cols)

class Norm(torch.nn.Module):
    def __init__(self, hidden, eps=1e-6):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(hidden))
        self.eps = eps

    def forward(self, x):
        flat = x.contiguous().view(-1, x.shape[-1])
        rows, cols = flat.shape
        y = torch.empty_like(flat)
        block = triton.next_power_of_2(cols)
        norm_kernel[(rows,)](flat, self.weight, y, flat.stride(0), cols, self.eps, BLOCK=block)
        return y.view(x.shape)
`;

export const gather = `${head}
@triton.jit
def gather_kernel(table, ids, out, dim, BLOCK: tl.constexpr):
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    index = tl.load(ids + tl.program_id(0))
    value = tl.load(table + index * dim + at, mask=at < dim)
    tl.store(out + tl.program_id(0) * dim + at, value, mask=at < dim)

def gather(table: torch.Tensor, ids: torch.Tensor, out: torch.Tensor, mode):
    """Rows of a table.

    Args:
        table: the rows, of shape (vocabulary, dim)
        ids: which rows
    """
    if mode not in ("plain", "other"):
        raise ValueError(mode)
    grid = (ids.shape[0], triton.cdiv(table.size(1), 64))
    gather_kernel[grid](table, ids, out, table.size(1), BLOCK=64)
`;

export const product = `${head}
@triton.jit
def gradient_kernel(dy, x, dx, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dx + at, 2 * tl.load(dy + at, mask=at < n) * tl.load(x + at, mask=at < n), mask=at < n)

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = torch.empty_like(x)
        assert dy.is_cuda and dy.is_contiguous()
        gradient_kernel[(triton.cdiv(x.numel(), 128),)](dy, x, dx, x.numel(), BLOCK=128)
        return dx
`;

export const noise = `${head}
@triton.jit
def noise_kernel(x, target, scales, out, n, seed, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    wanted = tl.log(tl.load(target + row * n + at, mask=at < n, other=1.0))
    near = tl.load(x + row * n + at, mask=at < n) + wanted
    tl.store(out + row * n + at, near * tl.load(scales + row) + tl.rand(seed, at), mask=at < n)

def add_noise(x, target, scales, seed):
    """x: [tokens, 2 * half], scales: [tokens, 1]"""
    assert x.shape == target.shape
    rows, n = x.shape
    out = torch.empty_like(x)
    noise_kernel[(rows,)](x, target, scales, out, n, seed, BLOCK=triton.next_power_of_2(n))
    return out.sum() / rows
`;

export const affine = `${head}
@triton.jit
def double_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)

@triton.jit
def affine_kernel(y, g, b, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = y + tl.program_id(0) * n
    value = tl.load(row + at, mask=at < n) * tl.load(g + at, mask=at < n) + tl.load(b + at, mask=at < n)
    tl.store(row + at, value, mask=at < n)

def affine(x, gamma, beta):
    rows, cols = x.shape
    y = torch.empty_like(x)
    double_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    affine_kernel[(rows,)](y, gamma, beta, cols, BLOCK=triton.next_power_of_2(cols))
    return y
`;

export const positions = `${head}
@triton.jit
def turn_kernel(q, angles, out, time, HALF: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, HALF)
    angle = tl.load(angles + row % time * HALF + at)
    first, second = tl.load(q + row * 2 * HALF + at), tl.load(q + row * 2 * HALF + HALF + at)
    tl.store(out + row * 2 * HALF + at, first * tl.cos(angle) - second * tl.sin(angle))
    tl.store(out + row * 2 * HALF + HALF + at, second * tl.cos(angle) + first * tl.sin(angle))

class Turn(torch.nn.Module):
    def __init__(self, dim, length):
        super().__init__()
        rates = 1.0 / 100 ** (torch.arange(0, dim, 2).float() / dim)
        self.register_buffer("angles", torch.outer(torch.arange(length).float(), rates))

    def forward(self, q):
        heads, time, D = q.shape
        out = torch.empty_like(q)
        turn_kernel[(heads * time,)](q, self.angles, out, time, D // 2)
        return out
`;

export const outer = `${head}
@triton.jit
def scaled_rows_kernel(x, y, out, inner, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for k in range(inner):
        value = tl.load(y + k * columns + at, mask=at < columns, other=0.0)
        total += tl.load(x + row * inner + k) * value
    tl.store(out + row * columns + at, total, mask=at < columns)

def check(x, y):
    assert x.ndim == 2 and y.ndim == 2
    if x.shape[1] != y.shape[0]:
        raise ValueError("inner sizes differ")

def rows_of(x, y):
    """A product.

    Assumes:
    - x.shape == (M, K)
    - y.shape == (K, N)
    """
    check(x, y)
    out = torch.empty((x.shape[0], y.shape[1]), device=x.device)
    block = triton.next_power_of_2(y.shape[1])
    scaled_rows_kernel[(x.shape[0],)](x, y, out, x.shape[1], y.shape[1], BLOCK=block)
    return out
`;

export const drawnIn = `${head}
import absent_registry as registry
from absent_registry.nn import Mixin, option
from typing import Optional

@triton.jit
def half_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 0.5 * tl.load(x + at, mask=at < n), mask=at < n)

class Halves(Mixin):
    limits: Optional[registry.Limits] = option(4)

@registry.register("half")
def half(x):
    y = torch.empty_like(x)
    half_kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
    return y
`;

export const submission = `${head}
@triton.jit
def mix_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(a + at, mask=at < n) * tl.load(b + at, mask=at < n)
    tl.store(out + at, value, mask=at < n)

def solve(job):
    left, right, out = job
    count = left.shape[0]
    mix_kernel[(triton.cdiv(count, 256),)](left, right, out, count, BLOCK=256)
    return out
`;

export const problem = `${head}
tokens = 24
width = 96

@triton.jit
def gate_kernel(x, w, y, width, LEVELS: tl.constexpr, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    value = tl.load(x + row * width + at, mask=at < width, other=0.0)
    value = value * tl.load(w + at, mask=at < width, other=0.0)
    tl.store(y + row * width + at, tl.floor(value * LEVELS) / LEVELS, mask=at < width)

class Gate(torch.nn.Module):
    def __init__(self, features, levels, mode, bounds):
        super().__init__()
        assert (levels, mode, bounds) == (6, "floor", [0.0, 1.0])
        self.weight = torch.nn.Parameter(torch.ones(features))

    def forward(self, x, skipped=None):
        assert x.dtype == torch.float16 and x.dim() == 3
        y = torch.empty_like(x)
        rows = x.shape[0] * x.shape[1]
        block = triton.next_power_of_2(x.shape[2])
        gate_kernel[(rows,)](x, self.weight, y, x.shape[2], LEVELS=6, BLOCK=block)
        return y

def get_inputs():
    return [torch.rand(2, tokens, width, device="cuda", dtype=torch.float16)]

def get_init_inputs():
    return [width, 6, "floor", [0.0, 1.0]]
`;

/** Of an earlier Triton; asks the machine and a package that is not here while it is imported. */
export const former = `import subprocess
${head}from absent_zoo.log import logger
from absent_zoo.versions import Version
from .widths import BLOCK_WIDTH

try:
    from absent_zoo.fused import squash
except ImportError:
    squash = None

if Version(torch.__version__) < Version("2.4.0"):
    raise RuntimeError("torch is too old")
if subprocess.run(["nvidia-smi"], capture_output=True).returncode != 0:
    raise RuntimeError("there is no GPU")

@triton.jit
def squash_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.math.tanh(tl.load(x + at, mask=at < n))
    tl.store(y + at, tl.libdevice.rint(8 * value), mask=at < n)

def squashed(x):
    logger.warning_once("this is slow")
    if squash is not None:
        return squash(x)
    y = torch.empty_like(x)
    squash_kernel[(triton.cdiv(x.numel(), BLOCK_WIDTH),)](x, y, x.numel(), BLOCK=BLOCK_WIDTH)
    return y
`;

export const wholeBlocks = `${head}
@triton.jit
def scores_kernel(q, k, out, length, share, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    head = tl.program_id(1)
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.arange(0, WIDTH)
    queries = tl.load(q + (head * length + rows[:, None]) * WIDTH + cols[None, :])
    keys = tl.load(k + (head // share * length + rows[:, None]) * WIDTH + cols[None, :])
    tl.store(out + head * length + rows, tl.sum(queries * keys, axis=1))

def scores(q, k):
    heads, length, width = q.shape
    groups, length_k, width_k = k.shape
    assert length == length_k and width == width_k
    assert heads % groups == 0, "groups share heads"
    out = q.new_empty((heads, length))
    grid = (triton.cdiv(length, 128), heads)
    scores_kernel[grid](q, k, out, length, heads // groups, WIDTH=width, BLOCK=128)
    return out
`;

export const branching = `${head}
@triton.jit
def flip_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, -tl.load(x + at, mask=at < n), mask=at < n)

def flip(x, lengths=None):
    if lengths is None:
        batch, time, width = x.shape
    else:
        rows, width = x.shape
        batch, time = lengths.shape[0], rows // lengths.shape[0]
    y = torch.empty_like(x)
    total = batch * time * width
    flip_kernel[(triton.cdiv(total, 128),)](x, y, total, BLOCK=128)
    return y
`;

export const patterned = `${head}from absent_typing import Float

@triton.jit
def project_kernel(x, w, bias, y, rows, outputs, width, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    total = tl.load(bias + cols, mask=cols < outputs, other=0.0)
    for at in range(width):
        weights = tl.load(w + cols * width + at, mask=cols < outputs, other=0.0)
        total += tl.load(x + row * width + at) * weights
    tl.store(y + row * outputs + cols, total, mask=cols < outputs)

def project(x, w, bias: Float[torch.Tensor, "outputs"]):
    if not x.is_cuda:
        return torch.einsum("b t d, o d -> b t o", x, w) + bias
    rows, width, outputs = x.numel() // x.shape[-1], x.shape[-1], w.shape[0]
    y = torch.empty(*x.shape[:-1], outputs, device=x.device)
    block = triton.next_power_of_2(outputs)
    project_kernel[(rows,)](x, w, bias, y, rows, outputs, width, BLOCK=block)
    return y
`;

export const told = `import torch
import triton
import triton.language as tl


@triton.jit
def blend_kernel(pixels, weights, blended, H, W, SPAN: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, SPAN)
    inside = column < W
    sum = tl.zeros((SPAN,), tl.float32)
    for channel in range(3):
        weight = tl.load(weights + row)
        sum += weight * tl.load(pixels + (row * W + column) * 3 + channel, mask=inside, other=0.0)
    tl.store(blended + row * W + column, sum, mask=inside)


def blend(pixels, weights: torch.Tensor, blended: torch.Tensor, H: int, W: int, block: tuple[int, int]):
    span = max(block[0] * block[1], triton.next_power_of_2(W))
    blend_kernel[(H,)](pixels, weights, blended, H, W, SPAN=span)
`;

/** Half precision by assertions; whole groups, and no small tensors. */
export const grouped = `${head}
@triton.jit
def group_max_kernel(inp, peaks, GROUP: tl.constexpr):
    at = tl.program_id(0) * GROUP + tl.arange(0, GROUP)
    tl.store(peaks + tl.program_id(0), tl.max(tl.abs(tl.load(inp + at).to(tl.float32)), axis=0))

def peaks_of(inp, group: int = 96):
    assert group in {32, 64}, "no such group"
    assert inp.dtype == torch.float16 and inp.shape[-1] % group == 0
    assert inp.numel() >= 4096, "small tensors take another way"
    peaks = torch.empty(inp.numel() // group, dtype=torch.float32)
    group_max_kernel[(inp.numel() // group,)](inp, peaks, GROUP=group)
    return peaks
`;

/** Without a mask, so that a rest of less than a block is left out. */
export const restless = `${head}
@triton.jit
def gate_kernel(a, b, out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + at, (tl.load(a + at).to(tl.float32) * tl.load(b + at).to(tl.float32)).to(tl.bfloat16))

def gated(a, b):
    out = torch.empty(a.shape, dtype=torch.bfloat16)
    gate_kernel[(a.numel() // 256,)](a, b, out, N=256)
    return out
`;

/** A constructor that asks two of its numbers to fit together, and takes no smaller ones. */
export const bands = `${head}
@triton.jit
def band_gain_kernel(x, gain, y, channels, WIDTH: tl.constexpr):
    at = tl.program_id(0) * channels + tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)
    tl.store(y + at, tl.load(x + at) * tl.load(gain + tl.program_id(1)))

class BandGain(torch.nn.Module):
    def __init__(self, dim, n_bands):
        super().__init__()
        if dim // n_bands not in (32, 64):
            raise ValueError("a band has 32 or 64 channels")
        self.width = dim // n_bands
        self.gain = torch.nn.Parameter(torch.ones(n_bands))

    def forward(self, x):
        frames, channels = x.shape
        y = torch.empty_like(x)
        band_gain_kernel[(frames, channels // self.width)](x, self.gain, y, channels, WIDTH=self.width)
        return y
`;
