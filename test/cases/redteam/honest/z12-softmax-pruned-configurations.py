# task: triton-softmax
# does: a tuner whose configurations that are narrower than a row are left out before it measures

import torch
import triton
import triton.language as tl


def wide_enough(configs, named_args, **others):
    columns = named_args["columns"]
    fitting = [config for config in configs if config.kwargs["BLOCK"] >= columns]
    return fitting or [triton.Config({"BLOCK": triton.next_power_of_2(columns)}, num_warps=8)]


@triton.autotune(
    configs=[triton.Config({"BLOCK": 32 << step}, num_warps=min(8, max(1, 1 << step >> 2))) for step in range(7)],
    key=["columns"],
    prune_configs_by={"early_config_prune": wide_enough},
)
@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < columns
    row = tl.program_id(0).to(tl.int64) * columns
    values = tl.load(x + row + at, mask=inside, other=float("-inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row + at, powers / tl.sum(powers, axis=0), mask=inside)


def softmax(x):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1])
    return y
