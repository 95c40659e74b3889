"""What programs ask torch.cuda and wait for beside their launches, and values that need care on their way into a kernel."""
import math

import torch

import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, size, factor, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < size
    tl.store(x_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * factor, mask=mask)


def scale(x, factor):
    scale_kernel[(triton.cdiv(x.numel(), 64) or 1, )](x, x.numel(), factor, BLOCK=64)
    return x


stream, event = torch.cuda.Stream(priority=-1), torch.cuda.Event()
with torch.cuda.stream(stream), torch.cuda.device(0), torch.cuda.nvtx.range("scale"):
    torch.cuda.nvtx.range_push("launch")
    print("on a stream", scale(torch.ones(3), 2.0).tolist())
    torch.cuda.nvtx.range_pop()
    event.record(stream)
torch.cuda.current_stream().wait_stream(stream)
stream.wait_event(event)
stream.record_event().synchronize()
torch.cuda.init()
torch.cuda.empty_cache()
torch.cuda.reset_peak_memory_stats()
print("allocated", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), "free", torch.cuda.mem_get_info()[0] > 0)
print("capability", torch.cuda.get_device_capability(), torch.cuda.is_bf16_supported(), torch.cuda.get_device_properties("cuda").max_threads_per_block,
      torch.cuda.get_device_properties(0).max_threads_per_multi_processor, torch.cuda.mem_get_info()[1] >> 30,
      torch.cuda.get_device_properties(0).total_memory >> 30, torch.cuda.get_device_properties(0).L2_cache_size >> 20)

print("no elements", scale(torch.zeros(0, 5), 2.0).shape)
print("beyond float", scale(torch.ones(2), 1e300).tolist(), scale(torch.ones(2), -math.inf).tolist())


@torch.compile
def compiled(x):
    return scale(x, 3.0).sum()


print("compiled", compiled(torch.ones(4)).item(), torch.compile(compiled, mode="max-autotune")(torch.ones(4)).item())
