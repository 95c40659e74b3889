import triton
import triton.language as tl


# One program for each sensor: how far its readings drift from one to the next.
@triton.jit
def _drift(readings, drift, n_times, n_sensors, STEP: tl.constexpr):
    sensor = tl.program_id(0)
    total = tl.zeros((STEP,), tl.float32)
    for first in range(0, n_times - 1, STEP):
        time = first + tl.arange(0, STEP)
        inside = time < n_times - 1
        now = tl.load(readings + time * n_sensors + sensor, mask=inside, other=0.0)
        then = tl.load(readings + (time + 1) * n_sensors + sensor, mask=inside, other=0.0)
        total += tl.abs(then - now)
    tl.store(drift + sensor, tl.sum(total, axis=0))
