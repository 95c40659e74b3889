# Fixed income: discount factors at arbitrary dates from a bootstrapped curve, linear between its knots.
import torch
import triton
import triton.language as tl


@triton.jit
def _segment(knots, date, count):
    """Index of the last knot that is not after the date, at most count - 2."""
    low = 0
    high = count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if tl.load(knots + middle) <= date:
            low = middle
        else:
            high = middle
    return low


@triton.jit
def discount_kernel(dates_ptr, knots_ptr, factors_ptr, out_ptr, count):
    which = tl.program_id(0)
    first = tl.load(knots_ptr)
    last = tl.load(knots_ptr + count - 1)
    date = tl.minimum(tl.maximum(tl.load(dates_ptr + which), first), last)
    segment = _segment(knots_ptr, date, count)
    start = tl.load(knots_ptr + segment)
    end = tl.load(knots_ptr + segment + 1)
    share = (date - start) / (end - start)
    before = tl.load(factors_ptr + segment)
    after = tl.load(factors_ptr + segment + 1)
    tl.store(out_ptr + which, before + share * (after - before))


def discount_factors(dates, knots, factors):
    assert knots.shape == factors.shape and knots.numel() >= 2
    out = torch.empty_like(dates)
    discount_kernel[(dates.numel(),)](dates, knots, factors, out, knots.numel())
    return out
