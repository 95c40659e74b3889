import torch
import triton
import triton.language as tl


@triton.jit
def _rotate_pair(x1, x2, cos, sin):
    return x1 * cos - x2 * sin, x2 * cos + x1 * sin


@triton.jit
def rope_heads_fwd(q_ptr, cos_ptr, sin_ptr, out_ptr,
                   stride_t, stride_h, n_heads, half_dim,
                   BLOCK_D: tl.constexpr):
    # One program per token, all of its heads.
    token = tl.program_id(0)
    for head in range(0, n_heads):
        d = tl.arange(0, BLOCK_D)
        mask = d < half_dim
        cos = tl.load(cos_ptr + token * half_dim + d, mask=mask, other=1.0)
        sin = tl.load(sin_ptr + token * half_dim + d, mask=mask, other=0.0)
        base = token * stride_t + head * stride_h
        x1 = tl.load(q_ptr + base + d, mask=mask, other=0.0)
        x2 = tl.load(q_ptr + base + half_dim + d, mask=mask, other=0.0)
        y1, y2 = _rotate_pair(x1, x2, cos, sin)
        tl.store(out_ptr + base + d, y1, mask=mask)
        tl.store(out_ptr + base + half_dim + d, y2, mask=mask)


def apply_rope(q, cos, sin):
    tokens, heads, dim = q.shape
    q = q.contiguous()
    out = torch.empty_like(q)
    half = dim // 2
    rope_heads_fwd[(tokens,)](
        q, cos, sin, out,
        q.stride(0), q.stride(1), heads, half,
        BLOCK_D=triton.next_power_of_2(half),
        num_warps=1,
    )
    return out
