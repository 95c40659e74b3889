"""Loudness meter: peak and RMS level of every frame of a batch."""
import torch
import triton
import triton.language as tl


@triton.jit
def frame_levels(x_ptr, win_ptr, peak_ptr, rms_ptr, hop, frame_len):
    frame = tl.program_id(0)
    start = x_ptr + frame * hop
    peak = 0.0
    energy = 0.0
    for i in range(0, frame_len):
        s = tl.load(start + i) * tl.load(win_ptr + i)
        peak = tl.maximum(peak, tl.abs(s))
        energy += s * s
    tl.store(peak_ptr + frame, peak)
    tl.store(rms_ptr + frame, tl.sqrt(energy / frame_len))


def meter(x, window, hop):
    frame_len = window.numel()
    frames = (x.numel() - frame_len) // hop + 1
    peak = torch.empty(frames, device=x.device, dtype=x.dtype)
    rms = torch.empty(frames, device=x.device, dtype=x.dtype)
    frame_levels[(frames,)](x, window, peak, rms, hop, frame_len)
    return peak, rms
