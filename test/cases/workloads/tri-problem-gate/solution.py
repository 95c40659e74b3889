"""A problem of a collection: the module, and what it is made and called with."""

import torch
import triton
import triton.language as tl

batch = 3
tokens = 40
channels = 192


@triton.jit
def _gated_shift(x, shift, gate, y, tokens, channels, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    kept = at < channels
    value = tl.load(x + row * channels + at, mask=kept, other=0.0).to(tl.float32)
    moved = value + tl.load(shift + (row % tokens) * channels + at, mask=kept, other=0.0)
    opened = tl.sigmoid(tl.load(gate + at, mask=kept, other=0.0))
    tl.store(y + row * channels + at, (moved * opened).to(tl.float16), mask=kept)


class ModelNew(torch.nn.Module):
    def __init__(self, length: int, width: int, kind: str, rates: list):
        super().__init__()
        if kind != "sigmoid" or sum(rates) != 1.0:
            raise ValueError((kind, rates))
        self.shift = torch.nn.Parameter(torch.zeros(length, width))
        self.gate = torch.nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert x.dtype == torch.float16 and x.shape[1:] == self.shift.shape
        y = torch.empty_like(x)
        block = triton.next_power_of_2(x.shape[2])
        _gated_shift[(x.shape[0] * x.shape[1],)](x, self.shift, self.gate, y, x.shape[1], x.shape[2], BLOCK=block)
        return y


def get_inputs():
    return [torch.rand(batch, tokens, channels, dtype=torch.float16)]


def get_init_inputs():
    return [tokens, channels, "sigmoid", [0.25, 0.75]]
