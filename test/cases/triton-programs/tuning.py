"""The autotuner's own features: hooks, restored and reset tensors, pruning, heuristics, configurations that cannot run."""
import torch

import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": block}, num_warps=4) for block in (128, 1024)], key=["n"], restore_value=["x_ptr"], reset_to_zero=["sum_ptr"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def increment_kernel(x_ptr, sum_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        x = tl.load(x_ptr + offsets)
        tl.store(x_ptr + offsets, x + 1)
    else:
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask, other=0)
        tl.store(x_ptr + offsets, x + 1, mask=mask)
    tl.atomic_add(sum_ptr, tl.sum(x, axis=0))


def increment(n):
    x, total = torch.ones(n), torch.zeros(1)
    increment_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]), )](x, total, n)
    return x[0].item(), x[-1].item(), total.item()


for size in (4096, 4096, 1000):
    print("once each", increment(size))

hooked = []


def keep_two(configs, named_args, **kwargs):
    return configs[:-1]


@triton.autotune(
    configs=[triton.Config({"BLOCK": block}, num_warps=warps, pre_hook=lambda args: hooked.append(args["BLOCK"])) for block, warps in ((512, 4), (2048, 8), (64, 2))],
    key=["n"], prune_configs_by={"early_config_prune": keep_two, "perf_model": lambda BLOCK, **_: -BLOCK, "top_k": 3})
@triton.jit
def fill_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, 7, mask=offsets < n)


x = torch.zeros(4096, dtype=torch.int32)
for _ in range(2):
    fill_kernel[lambda meta: (triton.cdiv(4096, meta["BLOCK"]), )](x, 4096)
best = fill_kernel.best_config.kwargs["BLOCK"]
print("filled", x.unique().tolist(), "hooks", hooked == [512, 2048, best, best])


@triton.autotune(configs=[triton.Config({"SIZE": size}) for size in (512, 64)], key=[])
@triton.jit
def product_kernel(a_ptr, c_ptr, SIZE: tl.constexpr):
    tl.static_assert(SIZE <= 256, "a block of that size does not compile")
    offsets = tl.arange(0, SIZE)[:, None] * SIZE + tl.arange(0, SIZE)[None, :]
    a = tl.load(a_ptr + offsets)
    tl.store(c_ptr + offsets, tl.dot(a, a))


a, c = torch.eye(64), torch.zeros(64, 64)
product_kernel[(1, )](a, c)
print("the one that compiles", product_kernel.best_config.kwargs, torch.equal(c, a))
