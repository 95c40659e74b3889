import torch
import triton
import triton.language as tl


@triton.jit
def energy_kernel(sig_ptr, out_ptr, length, BLOCK: tl.constexpr):
    ch = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, length, BLOCK):
        t = start + tl.arange(0, BLOCK)
        s = tl.load(sig_ptr + ch * length + t, mask=t < length, other=0.0)
        acc += s * s
    tl.store(out_ptr + ch, tl.sum(acc, axis=0) / length)


def channel_power(sig):
    channels, length = sig.shape
    out = torch.empty(channels, device=sig.device, dtype=torch.float32)
    energy_kernel[(channels,)](sig, out, length, BLOCK=1024)
    return out
