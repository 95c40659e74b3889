#@case {"kernel": "lift_kernel", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def lift_kernel(frame_ptr, gain_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    """One row of one frame."""
    row = tl.program_id(0)  #@ instructions=900
    at = tl.arange(0, BLOCK)
    x = tl.load(frame_ptr + row * columns + at, mask=at < columns)
    g = tl.load(gain_ptr + at, mask=at < columns)
    tl.store(out_ptr + row * columns + at, x * g, mask=at < columns)


def lift(frames, gains):
    count, rows, columns = frames.shape
    out = torch.empty_like(frames)
    grid = (rows,)
    for i in range(count):
        lift_kernel[grid](
            frames[i], gains, out, columns,
            BLOCK=triton.next_power_of_2(columns),
        )
    return out
