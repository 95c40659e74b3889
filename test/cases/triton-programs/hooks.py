"""What programs look at besides results: hooks, compiled kernels, warm-up, printing, the launch's metadata."""
import numpy as np
import torch

import triton
import triton.language as tl
from triton import knobs

told = []
knobs.runtime.launch_enter_hook.add(lambda metadata: told.append(("enter", metadata.get()["name"], metadata.get().get("flops"))))
knobs.runtime.launch_exit_hook.add(lambda metadata: told.append(("exit", metadata.get()["name"])))
knobs.runtime.jit_post_compile_hook = lambda **kwargs: told.append(("compiled", kwargs["fn"].name, kwargs["is_manual_warmup"]))


@triton.jit(launch_metadata=lambda grid, kernel, args: {"flops": grid[0]})
def square_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, x * x, mask=mask)


warm = square_kernel.warmup(torch.float32, torch.float32, 5, BLOCK=64, grid=(1, ))
x, y = torch.from_numpy(np.arange(5, dtype=np.float32)), torch.zeros(5)
compiled = square_kernel[(1, )](x, y, 5, BLOCK=64)
print("same kernel", compiled is warm, y.tolist())
print("told", told)
print("registers", compiled.n_regs > 0, "spills", compiled.n_spills, "threads", compiled.n_max_threads, "warps", compiled.metadata.num_warps, "target", compiled.metadata.target.arch)
print("assembly", ".visible .entry square_kernel" in compiled.asm["ptx"], compiled.asm["cubin"][:4])

half = square_kernel[(1, )](x.to(torch.bfloat16), torch.zeros(5, dtype=torch.bfloat16), 5, BLOCK=64)
print("another kernel", half is not compiled)


@triton.jit
def scalars_kernel(out_ptr, a, b, c, d, e: tl.constexpr, f=2.5):
    tl.store(out_ptr, a)
    tl.store(out_ptr + 1, b)
    tl.store(out_ptr + 2, c)
    tl.store(out_ptr + 3, d)
    tl.store(out_ptr + 4, e)
    tl.store(out_ptr + 5, f)


out = torch.zeros(6, dtype=torch.float64)
scalars_kernel[(1, )](out, -7, 1 << 40, True, 0.1, e=11)
print("scalars", out.tolist())


@triton.jit
def wrong_kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), undefined_name)


try:
    wrong_kernel[(1, )](x, BLOCK=4)
except triton.CompilationError as error:
    print("compilation", "undefined_name is not defined" in str(error))

try:
    square_kernel[(1, )](np.zeros(4), y, 5, BLOCK=64)
except Exception as error:
    print("no tensor", type(error).__name__)
