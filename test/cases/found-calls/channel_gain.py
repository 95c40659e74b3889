import torch
import triton
import triton.language as tl


@triton.jit
def channel_gain_kernel(x, gain, out, dim, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    places = tl.arange(0, BLOCK)
    inside = places < dim
    values = tl.load(x + row * dim + places, mask=inside)
    tl.store(out + row * dim + places, values * tl.load(gain + places, mask=inside), mask=inside)


class ChannelGain(torch.nn.Module):
    def __init__(self, dim=192):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(dim))

    def forward(self, x):
        rows, dim = x.shape
        out = torch.empty_like(x)
        channel_gain_kernel[(rows,)](x, self.gain, out, dim, BLOCK=triton.next_power_of_2(dim))
        return out
