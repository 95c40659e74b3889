import logging

import torch
import triton
import triton.language as tl

logger = logging.getLogger(__name__)


@triton.jit
def amax_dim0_kernel(inp, out, M, N, TILE_M: tl.constexpr):
    pid_n = tl.program_id(0)
    best = tl.full((TILE_M,), float("-inf"), dtype=tl.float32)
    for start_m in range(0, M, TILE_M):
        m_offsets = start_m + tl.arange(0, TILE_M)
        offsets = m_offsets * N + pid_n
        val = tl.load(inp + offsets, mask=m_offsets < M, other=float("-inf"))
        best = tl.maximum(best, tl.abs(val))
    tl.store(out + pid_n, tl.max(best, axis=0))


def amax_dim0(inp: torch.Tensor) -> torch.Tensor:
    logger.debug("GEMS AMAX DIM0")
    M, N = inp.shape
    out = torch.empty((N,), dtype=inp.dtype, device=inp.device)
    amax_dim0_kernel[(N, 1, 1)](inp, out, M, N, TILE_M=512)
    return out
