import torch
import triton
import triton.language as tl


@triton.jit
def channel_power_kernel(sig_ptr, pow_ptr, samples, channels, STEP: tl.constexpr):
    # samples are stored one after the other, each with all its channels
    ch = tl.program_id(0)
    acc = tl.zeros([STEP], dtype=tl.float32)
    for s in range(0, samples, STEP):
        idx = s + tl.arange(0, STEP)
        v = tl.load(sig_ptr + idx * channels + ch, mask=idx < samples, other=0.0)
        acc += v * v
    tl.store(pow_ptr + ch, tl.sum(acc, axis=0) / samples)


def channel_power(sig: torch.Tensor) -> torch.Tensor:
    samples, channels = sig.shape
    power = torch.empty(channels, dtype=sig.dtype, device=sig.device)
    channel_power_kernel[(channels,)](sig, power, samples, channels, STEP=512, num_warps=4)
    return power
