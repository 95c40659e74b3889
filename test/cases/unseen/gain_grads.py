import torch
import triton
import triton.language as tl


@triton.jit
def gain_grads_kernel(x, dy, inv_rms, gain, dx, dgain, dbias, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    inside = lane < width
    here = token * width + lane
    unit = tl.load(x + here, mask=inside, other=0.0) * tl.load(inv_rms + token)
    grad = tl.load(dy + here, mask=inside, other=0.0)
    scaled = grad * tl.load(gain + lane, mask=inside, other=0.0)
    share = tl.sum(scaled * unit, axis=0) / width
    tl.store(dx + here, (scaled - unit * share) * tl.load(inv_rms + token), mask=inside)
    tl.atomic_add(dgain + lane, grad * unit, mask=inside)
    tl.atomic_add(dbias + lane, grad, mask=inside)


def gain_grads(x, dy, inv_rms, gain):
    tokens, width = x.shape
    dx = torch.empty_like(x)
    dgain = torch.zeros_like(gain)
    dbias = torch.zeros_like(gain)
    block = triton.next_power_of_2(width)
    gain_grads_kernel[(tokens,)](x, dy, inv_rms, gain, dx, dgain, dbias, width, BLOCK=block)
    return dx, dgain, dbias
