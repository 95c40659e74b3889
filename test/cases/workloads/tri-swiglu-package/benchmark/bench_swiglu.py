import torch
import triton

from fused.swiglu import swiglu


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=["N"], x_vals=[256, 512], line_arg="provider", line_vals=["triton", "torch"],
        line_names=["Triton", "Torch"], ylabel="GB/s", plot_name="swiglu", args={"M": 64},
    )
)
def bench(M, N, provider):
    a = torch.randn(M, N, device="cuda", dtype=torch.float16)
    b = torch.randn(M, N, device="cuda", dtype=torch.float16)
    fn = (lambda: swiglu(a, b)) if provider == "triton" else (lambda: torch.nn.functional.silu(a) * b)
    return 3 * a.numel() * a.element_size() / triton.testing.do_bench(fn) * 1e-6


if __name__ == "__main__":
    bench.run(print_data=True)
