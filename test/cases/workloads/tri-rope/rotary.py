from typing import Tuple

import torch
import triton
import triton.language as tl


@triton.jit
def _rope(q_ptr, k_ptr, cos_ptr, sin_ptr, seq_len, q_row_stride, k_row_stride, n_qh: tl.constexpr, n_kh: tl.constexpr,
          hd: tl.constexpr, BLOCK_H: tl.constexpr, INVERSE: tl.constexpr = False):
    tok = tl.program_id(0)
    s = tok % seq_len
    d = tl.arange(0, hd // 2)
    c = tl.load(cos_ptr + s * (hd // 2) + d)[None, :]
    n = tl.load(sin_ptr + s * (hd // 2) + d)[None, :]
    if INVERSE:
        n = -n
    h = tl.arange(0, BLOCK_H)[:, None]

    lo = q_ptr + tok * q_row_stride + h * hd + d[None, :]
    a = tl.load(lo, mask=h < n_qh)
    b = tl.load(lo + hd // 2, mask=h < n_qh)
    tl.store(lo, a * c - b * n, mask=h < n_qh)
    tl.store(lo + hd // 2, b * c + a * n, mask=h < n_qh)

    lo = k_ptr + tok * k_row_stride + h * hd + d[None, :]
    a = tl.load(lo, mask=h < n_kh)
    b = tl.load(lo + hd // 2, mask=h < n_kh)
    tl.store(lo, a * c - b * n, mask=h < n_kh)
    tl.store(lo + hd // 2, b * c + a * n, mask=h < n_kh)


def apply_rotary(q: torch.Tensor, k: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """q: [batch, seq, heads, dim], k: [batch, seq, kv_heads, dim], cos and sin: [seq, dim / 2]. In place."""
    bsz, seq, n_qh, hd = q.shape
    n_kh = k.shape[2]
    q, k = q.contiguous(), k.contiguous()
    _rope[(bsz * seq,)](q, k, cos, sin, seq, q.stride(1), k.stride(1), n_qh, n_kh, hd,
                        BLOCK_H=triton.next_power_of_2(max(n_qh, n_kh)))
    return q, k
