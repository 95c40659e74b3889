# EWMA variance of every asset and its covariance with the market factor.
# returns: [days, assets], market: [days], oldest day first
import torch
import triton
import triton.language as tl

ASSETS_PER_PROGRAM = 128


@triton.jit
def ewma_risk_kernel(
    returns_ptr, market_ptr, var_ptr, cov_ptr,
    days, assets, stride_day,
    lam,
    ASSETS: tl.constexpr,
):
    a = tl.program_id(0) * ASSETS + tl.arange(0, ASSETS)
    ok = a < assets
    zero = tl.zeros((ASSETS,), dtype=tl.float32)
    tl.store(var_ptr + a, zero, mask=ok)
    tl.store(cov_ptr + a, zero, mask=ok)

    for day in range(0, days):
        r = tl.load(returns_ptr + day * stride_day + a, mask=ok, other=0.0)
        m = tl.load(market_ptr + day)
        var = tl.load(var_ptr + a, mask=ok, other=0.0)
        cov = tl.load(cov_ptr + a, mask=ok, other=0.0)
        tl.store(var_ptr + a, lam * var + (1.0 - lam) * r * r, mask=ok)
        tl.store(cov_ptr + a, lam * cov + (1.0 - lam) * r * m, mask=ok)


def ewma_risk(returns, market, half_life_lambda):
    days, assets = returns.shape
    var = torch.empty(assets, dtype=torch.float32, device=returns.device)
    cov = torch.empty(assets, dtype=torch.float32, device=returns.device)
    grid = (triton.cdiv(assets, ASSETS_PER_PROGRAM),)
    ewma_risk_kernel[grid](
        returns, market, var, cov,
        days, assets, returns.stride(0),
        half_life_lambda,
        ASSETS=ASSETS_PER_PROGRAM,
    )
    return var, cov
