# task: triton-layernorm
# source: p
# does: leaves out configurations that are narrower than a row, but tunes by the number of rows alone: a wider matrix of as many rows takes the block of the narrow one and loses columns
# caught by: tuned-elsewhere

import torch
import triton
import triton.language as tl


def wide_enough(configs, arguments, **_):
    return [config for config in configs if config.kwargs["BLOCK"] >= arguments["width"]]


@triton.autotune(
    configs=[triton.Config({"BLOCK": block}, num_warps=4) for block in (128, 256, 512, 1024, 2048, 4096, 8192)],
    key=["rows"],
    prune_configs_by={"early_config_prune": wide_enough},
)
@triton.jit
def normalise_kernel(x, weight, bias, y, rows, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < width
    values = tl.load(x + row * width + at, mask=inside, other=0.0)
    mean = tl.sum(values) / width
    off = tl.where(inside, values - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(off * off) / width + 1e-5)
    gain = tl.load(weight + at, mask=inside, other=0.0)
    tl.store(y + row * width + at, off * scale * gain + tl.load(bias + at, mask=inside, other=0.0), mask=inside)


def normalised(x, weight, bias):
    rows, width = x.shape
    y = torch.empty_like(x)
    normalise_kernel[(rows,)](x, weight, bias, y, rows, width)
    return y
