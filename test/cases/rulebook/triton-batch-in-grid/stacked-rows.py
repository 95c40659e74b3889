#@case {"kernel": "lift_kernel", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def lift_kernel(x_ptr, y_ptr, n, gain, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  #@ instructions=900
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, x * gain, mask=at < n)


def lift(signals: torch.Tensor, gains):
    n = signals.shape[1]
    lifted = []
    for i, signal in enumerate(signals):
        y = torch.empty(n, device=signal.device, dtype=signal.dtype)
        lift_kernel[(triton.cdiv(n, 256),)](signal, y, n, gains[i], BLOCK=256)
        lifted.append(y)
    return torch.stack(lifted)
