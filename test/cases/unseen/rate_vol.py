"""Risk report: normal volatility of each rate, from a [days, rates] panel of closing levels in basis points."""
import torch
import triton
from triton import language as tl

TRADING_DAYS = 252


@triton.jit
def normal_vol(levels, vol, days, rates, annual, DAYS: tl.constexpr):
    rate = tl.program_id(0)
    day = tl.arange(0, DAYS)
    has_next = day + 1 < days
    today = tl.load(levels + day * rates + rate, mask=has_next, other=0.0)
    tomorrow = tl.load(levels + (day + 1) * rates + rate, mask=has_next, other=0.0)
    move = tomorrow - today
    mean = tl.sum(move, axis=0) / (days - 1)
    deviation = tl.where(has_next, move - mean, 0.0)
    variance = tl.sum(deviation * deviation, axis=0) / (days - 2)
    tl.store(vol + rate, tl.sqrt(variance * annual))


def volatility_report(levels: torch.Tensor) -> torch.Tensor:
    if levels.dim() != 2 or levels.shape[0] < 3:
        raise ValueError("expected at least three days of levels, [days, rates]")
    days, rates = levels.shape
    vol = levels.new_empty(rates)
    normal_vol[(rates,)](levels, vol, days, rates, TRADING_DAYS, DAYS=triton.next_power_of_2(days))
    return vol
