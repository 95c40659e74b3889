#@case {"kernel": "risk"}
import torch
import triton
import triton.language as tl


@triton.jit
def risk(ret, market, var, cov, days, assets, lam, A: tl.constexpr):
    a = tl.program_id(0) * A + tl.arange(0, A)
    ok = a < assets
    tl.store(var + a, tl.zeros((A,), dtype=tl.float32), mask=ok)
    tl.store(cov + a, tl.zeros((A,), dtype=tl.float32), mask=ok)
    for day in range(0, days):
        r = tl.load(ret + day * assets + a, mask=ok, other=0.0)  #@ globalLoadRequests=1000
        m = tl.load(market + day)  #@ globalLoadRequests=1000
        v = tl.load(var + a, mask=ok)  #@ globalLoadRequests=1000
        tl.store(var + a, lam * v + (1.0 - lam) * r * r, mask=ok)  #@ globalStoreRequests=1000
        tl.store(cov + a, lam * tl.load(cov + a, mask=ok) + (1.0 - lam) * r * m, mask=ok)  #@ globalLoadRequests=1000 globalStoreRequests=1000


def run(ret, market):
    var = torch.empty(ret.shape[1])
    cov = torch.empty(ret.shape[1])
    risk[(triton.cdiv(ret.shape[1], 128),)](ret, market, var, cov, ret.shape[0], ret.shape[1], 0.9, A=128)
    return var, cov
