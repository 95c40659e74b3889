# Mixture of experts: routing probabilities of tokens over experts, with a temperature.
import torch
import triton
import triton.language as tl
from triton import next_power_of_2


@triton.jit
def row_stats(logits, peak, inverse, E, inv_temperature, PADDED: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    e = tl.arange(0, PADDED)
    row = tl.load(logits + token * E + e, mask=e < E, other=-float("inf")).to(tl.float32) * inv_temperature
    top = tl.max(row, 0)
    tl.store(peak + token, top)
    tl.store(inverse + token, 1.0 / tl.sum(tl.exp(row - top), 0))


@triton.jit
def apply_stats(logits, peak, inverse, probs, E, inv_temperature, PADDED: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    e = tl.arange(0, PADDED)
    row = tl.load(logits + token * E + e, mask=e < E, other=0.0).to(tl.float32) * inv_temperature
    p = tl.exp(row - tl.load(peak + token)) * tl.load(inverse + token)
    tl.store(probs + token * E + e, p.to(probs.dtype.element_ty), mask=e < E)


class Router(torch.nn.Module):
    def __init__(self, temperature=1.0):
        super().__init__()
        self.temperature = temperature

    def forward(self, logits):
        tokens, experts = logits.shape
        peak = torch.empty(tokens, dtype=torch.float32, device=logits.device)
        inverse = torch.empty_like(peak)
        probs = torch.empty_like(logits)
        padded = next_power_of_2(experts)
        row_stats[(tokens,)](logits, peak, inverse, experts, 1.0 / self.temperature, PADDED=padded, num_warps=4)
        apply_stats[(tokens,)](logits, peak, inverse, probs, experts, 1.0 / self.temperature, PADDED=padded, num_warps=4)
        return probs
