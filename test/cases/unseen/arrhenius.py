"""Combustion chemistry: rate coefficients k = A T^b exp(-E / R T) of every reaction in every cell."""
import torch
import triton
import triton.language as tl

GAS_CONSTANT = tl.constexpr(8.314462618)


@triton.jit
def modified_arrhenius(log_a, exponent, activation, temperature):
    t = temperature.to(tl.float64)
    log_rate = log_a.to(tl.float64) + exponent.to(tl.float64) * tl.log(t)
    log_rate -= activation.to(tl.float64) / (GAS_CONSTANT * t)
    return tl.exp(log_rate)


@triton.jit
def rates_kernel(temperature, log_a, exponent, activation, rates, cells, CELLS: tl.constexpr):
    reaction = tl.program_id(1)
    cell = tl.program_id(0) * CELLS + tl.arange(0, CELLS)
    inside = cell < cells
    k = modified_arrhenius(
        tl.load(log_a + reaction),
        tl.load(exponent + reaction),
        tl.load(activation + reaction),
        tl.load(temperature + cell, mask=inside, other=300.0),
    )
    tl.store(rates + reaction * cells + cell, k.to(tl.float32), mask=inside)


class Mechanism(torch.nn.Module):
    def __init__(self, log_a, exponent, activation):
        super().__init__()
        for name, values in (("log_a", log_a), ("exponent", exponent), ("activation", activation)):
            self.register_buffer(name, values)

    def forward(self, temperature):
        reactions, cells = self.log_a.numel(), temperature.numel()
        rates = temperature.new_empty(reactions, cells)
        grid = (triton.cdiv(cells, 512), reactions)
        rates_kernel[grid](temperature, self.log_a, self.exponent, self.activation, rates, cells, CELLS=512)
        return rates
