import torch
import triton
import triton.language as tl


@triton.jit
def burst_power_kernel(iq_ptr, power_ptr, samples, BLOCK: tl.constexpr):
    burst = tl.program_id(0)
    for s0 in range(0, samples, BLOCK):
        s = s0 + tl.arange(0, BLOCK)
        v = tl.load(iq_ptr + burst * samples + s, mask=s < samples, other=0.0)
        tl.atomic_add(power_ptr + burst, tl.sum(v * v, axis=0))


def burst_power(iq):
    bursts, samples = iq.shape
    power = torch.zeros(bursts, device=iq.device, dtype=torch.float32)
    burst_power_kernel[(bursts,)](iq, power, samples, BLOCK=128, num_warps=2)
    return power
