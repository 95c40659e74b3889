"""A bank of filters over the frames of a recording, as one product of matrices."""

import torch
import triton
import triton.language as tl


@triton.jit
def bank_kernel(frames, filters, out, n_frames, n_filters, length, FRAMES: tl.constexpr, FILTERS: tl.constexpr, TAPS: tl.constexpr):
    f = tl.program_id(0) * FRAMES + tl.arange(0, FRAMES)
    b = tl.program_id(1) * FILTERS + tl.arange(0, FILTERS)
    total = tl.zeros((FRAMES, FILTERS), dtype=tl.float32)
    for start in range(0, length, TAPS):
        t = start + tl.arange(0, TAPS)
        x = tl.load(frames + f[:, None] * length + t[None, :], mask=(f[:, None] < n_frames) & (t[None, :] < length), other=0.0)
        h = tl.load(filters + b[None, :] * length + t[:, None], mask=(b[None, :] < n_filters) & (t[:, None] < length), other=0.0)
        total = tl.dot(x.to(tl.float32), h.to(tl.float32), total)
    tl.store(out + f[:, None] * n_filters + b[None, :], total, mask=(f[:, None] < n_frames) & (b[None, :] < n_filters))


def filter_bank(frames, filters):
    n_frames, length = frames.shape
    n_filters = filters.shape[0]
    out = torch.empty((n_frames, n_filters), dtype=torch.float32, device=frames.device)
    grid = (triton.cdiv(n_frames, 128), triton.cdiv(n_filters, 128))
    bank_kernel[grid](frames, filters, out, n_frames, n_filters, length, FRAMES=128, FILTERS=128, TAPS=32, num_warps=8)
    return out
