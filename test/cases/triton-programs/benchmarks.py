"""Times by all the ways that programs have: do_bench, a report, events."""
import math
import os
import tempfile

import torch

import triton
import triton.language as tl
from triton.testing import do_bench

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, 2 * tl.load(x_ptr + offsets, mask=mask), mask=mask)


def scale(x):
    y = torch.empty_like(x)
    scale_kernel[(triton.cdiv(x.numel(), 1024), )](x, y, x.numel(), BLOCK=1024)
    return y


small, large = torch.ones(1 << 14, device=DEVICE), torch.ones(1 << 20, device=DEVICE)
times = [do_bench(lambda: scale(x), warmup=25, rep=100) for x in (small, large)]
print("grows", 0 < times[0] < times[1] < 1, "again", do_bench(lambda: scale(large)) == times[1])
quantiles = do_bench(lambda: scale(large), quantiles=[0.5, 0.2, 0.8])
print("quantiles", quantiles == [times[1]] * 3, "all", triton.testing.do_bench(lambda: scale(large), return_mode="all") == [times[1]])
print("nothing to model", math.isnan(do_bench(lambda: torch.add(large, 1))))


@triton.testing.perf_report(
    triton.testing.Benchmark(x_names=["size"], x_vals=[2**i for i in (12, 16)], line_arg="provider", line_vals=["triton", "torch"], line_names=["Triton", "Torch"], plot_name="scale", args={}))
def benchmark(size, provider):
    x = torch.rand(size, device=DEVICE)
    run = (lambda: scale(x)) if provider == "triton" else (lambda: 2 * x)
    ms, least, most = triton.testing.do_bench(run, quantiles=[0.5, 0.2, 0.8])
    return 0.0 if math.isnan(ms) else 1.5, 0, 0


try:
    with tempfile.TemporaryDirectory() as folder:
        benchmark.run(print_data=True, show_plots=False, save_path=folder)
        print("report", "scale.csv" in os.listdir(folder))
except ModuleNotFoundError as missing:
    # Triton's own reports need these.
    print("report", missing.name in ("matplotlib", "pandas"))

# A long launch: some of its blocks stand for all, and leave nothing.
huge = torch.ones(1 << 22, device=DEVICE)
twice = torch.zeros_like(huge)
sampled = do_bench(lambda: scale_kernel[(4096, )](huge, twice, huge.numel(), BLOCK=1024))
print("a sample leaves memory as it was", not twice.any(), "and so does the next", do_bench(lambda: scale(huge)) == sampled)

start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start.record()
scale(large)
end.record()
torch.cuda.synchronize()
print("events", math.isclose(start.elapsed_time(end), times[1], rel_tol=1e-3))
before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
before.record()
doubled = scale(huge)
after.record()
print("a sample is as long as the whole", math.isclose(before.elapsed_time(after), sampled, rel_tol=0.02), bool((doubled == 2).all()))
print("device", torch.cuda.is_available(), torch.cuda.get_device_capability(), torch.cuda.get_device_properties(0).multi_processor_count)
