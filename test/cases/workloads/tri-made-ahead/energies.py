import torch
import triton
import triton.language as tl

GPU = triton.runtime.driver.active.utils.get_device_properties(torch.cuda.current_device())
_made = {}


@triton.jit
def _row_energy(signal, energy, pitch, rows, columns, WIDTH: tl.constexpr):
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        at = tl.arange(0, WIDTH)
        values = tl.load(signal + row * pitch + at, mask=at < columns, other=0.0)
        tl.store(energy + row, tl.sum(values * values, axis=0))


def row_energy(signal):
    """The sum of squares of each row, by as many programs as the GPU holds at once."""
    rows, columns = signal.shape
    energy = signal.new_empty(rows)
    width = triton.next_power_of_2(columns)
    if width not in _made:
        ahead = _row_energy.warmup(
            signal, energy, signal.stride(0), rows, columns, WIDTH=width, num_warps=4, grid=(1,)
        )
        ahead._init_handles()
        resident = GPU["max_num_regs"] // (ahead.n_regs * GPU["warpSize"] * 4)
        if ahead.metadata.shared > 0:
            resident = min(resident, GPU["max_shared_mem"] // ahead.metadata.shared)
        _made[width] = ahead, GPU["multiprocessor_count"] * resident
    ahead, programs = _made[width]
    ahead[(min(programs, rows), 1, 1)](signal, energy, signal.stride(0), rows, columns, width)
    return energy
