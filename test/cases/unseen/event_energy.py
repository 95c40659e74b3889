import torch
import triton
import triton.language as tl


@triton.jit
def calibrate(adc, pedestal, gain):
    return tl.maximum((adc - pedestal) * gain, 0.0)


@triton.jit
def event_energy_kernel(adc_ptr, ped_ptr, gain_ptr, energy_ptr, n_cells, BLOCK: tl.constexpr):
    # axis 0: event, axis 1: block of calorimeter cells
    event = tl.program_id(0)
    cell = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    ok = cell < n_cells
    adc = tl.load(adc_ptr + event * n_cells + cell, mask=ok, other=0.0)
    ped = tl.load(ped_ptr + cell, mask=ok, other=0.0)
    gain = tl.load(gain_ptr + cell, mask=ok, other=0.0)
    e = calibrate(adc, ped, gain)
    target = energy_ptr + event + tl.zeros((BLOCK,), dtype=tl.int32)
    tl.atomic_add(target, e, mask=ok)


def event_energy(adc, pedestal, gain):
    n_events, n_cells = adc.shape
    energy = torch.zeros(n_events, device=adc.device, dtype=torch.float32)
    block = 256
    event_energy_kernel[(n_events, triton.cdiv(n_cells, block))](
        adc, pedestal, gain, energy, n_cells, BLOCK=block)
    return energy
