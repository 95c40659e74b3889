import torch
import triton
import triton.language as tl


@triton.jit
def frame_energy_kernel(wav_ptr, window_ptr, log_e_ptr, mean_ptr, hop, preemph, floor, WIN: tl.constexpr):
    """Log energy (pre-emphasised, windowed) and mean of one frame per program."""
    frame = tl.program_id(0)
    start = wav_ptr + frame * hop

    energy = 0.0
    total = 0.0
    prev = tl.load(start)
    for k in range(WIN):
        s = tl.load(start + k)
        w = tl.load(window_ptr + k)
        e = (s - preemph * prev) * w
        energy += e * e
        total += s
        prev = s

    tl.store(log_e_ptr + frame, tl.log(energy + floor))
    tl.store(mean_ptr + frame, total / WIN)


def frame_energy(wav, window, hop, preemph):
    win = window.numel()
    frames = (wav.numel() - win) // hop + 1
    log_e = torch.empty(frames, dtype=torch.float32, device=wav.device)
    mean = torch.empty(frames, dtype=torch.float32, device=wav.device)
    frame_energy_kernel[(frames,)](wav, window, log_e, mean, hop, preemph, 1e-3, WIN=win)
    return log_e, mean
