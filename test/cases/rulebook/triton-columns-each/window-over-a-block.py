#@case {"kernel": "smooth"}
import torch
import triton
import triton.language as tl


@triton.jit
def smooth(signal, taps, out, steps, at_step, at_sensor, REACH: tl.constexpr, SPAN: tl.constexpr):
    sensor = tl.program_id(0)
    when = tl.program_id(1) * SPAN + tl.arange(0, SPAN)
    own = signal + sensor * at_sensor
    total = tl.zeros([SPAN], dtype=tl.float32)
    for back in tl.static_range(REACH):
        then = when - back
        total += tl.load(taps + back) * tl.load(own + then * at_step, mask=(then >= 0) & (then < steps), other=0.0)  #@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
    tl.store(out + sensor * at_sensor + when * at_step, total, mask=when < steps)


def smoothed(signal, taps):
    out = torch.empty_like(signal)
    steps, sensors = signal.shape
    smooth[(sensors, triton.cdiv(steps, 64))](
        signal, taps, out, steps, signal.stride(0), signal.stride(-1), REACH=taps.numel(), SPAN=64
    )
    return out
