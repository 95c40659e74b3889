"""Exponentially weighted mean and variance of returns, RiskMetrics style."""

import torch
import triton
import triton.language as tl


@triton.jit
def ewma_kernel(returns, mean_out, var_out, n_days, n_assets, lam):
    asset = tl.program_id(0)
    mean = tl.load(returns + asset)
    var = mean * 0.0
    tl.store(mean_out + asset, mean)
    tl.store(var_out + asset, var)
    for day in range(1, n_days):
        r = tl.load(returns + day * n_assets + asset)
        dev = r - mean
        var = lam * (var + (1 - lam) * dev * dev)
        mean = mean + (1 - lam) * dev
        tl.store(mean_out + day * n_assets + asset, mean)
        tl.store(var_out + day * n_assets + asset, var)


def ewma(returns: torch.Tensor, lam: float = 0.94):
    n_days, n_assets = returns.shape
    mean = torch.empty_like(returns)
    var = torch.empty_like(returns)
    ewma_kernel[(n_assets,)](returns, mean, var, n_days, n_assets, lam)
    return mean, var


if __name__ == "__main__":
    torch.manual_seed(0)
    returns = torch.randn(252, 1000, device="cuda") * 0.01
    mean, var = ewma(returns)
    m, v = returns[0].clone(), torch.zeros(1000, device=returns.device)
    for day in range(1, 252):
        dev = returns[day] - m
        v = 0.94 * (v + 0.06 * dev * dev)
        m = m + 0.06 * dev
    torch.testing.assert_close(mean[-1], m, rtol=1e-3, atol=1e-5)
    torch.testing.assert_close(var[-1], v, rtol=1e-3, atol=1e-7)
    print("ok")
