#@case {"kernel": "weigh", "launches": [{"blocks": 4096, "threadsPerBlock": 128, "times": 1}]}
import torch
import triton
import triton.language as tl


@triton.jit
def weigh(x, age, out, channels, width, rate, SPAN: tl.constexpr):
    row = tl.program_id(0)
    channel = tl.program_id(1)
    at = tl.arange(0, SPAN)
    live = at < width
    place = (row * channels + channel) * width + at
    years = tl.load(age + row * width + at, mask=live, other=0.0)
    factor = tl.exp(-rate * years) * tl.cos(years)  #@ instructions=8000
    value = tl.load(x + place, mask=live, other=0.0)  #@ instructions=2000
    tl.store(out + place, value * factor, mask=live)  #@ instructions=2000


def weighed(x, age, rate):
    rows, channels, width = x.shape
    out = torch.empty_like(x)
    grid = (rows, channels)
    weigh[grid](x, age, out, channels, width, rate, SPAN=triton.next_power_of_2(width), num_warps=4)
    return out
