"""Launches from threads work; those of a forked process are refused in words."""
import os
import sys
import threading

import torch

import triton
import triton.language as tl


@triton.jit
def fill_kernel(x_ptr, value, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, value, mask=offsets < n)


def fill(x, value):
    for _ in range(5):
        fill_kernel[(triton.cdiv(x.numel(), 256), )](x, value, x.numel(), BLOCK=256)


tensors = [torch.zeros(100000) for _ in range(4)]
fill(tensors[0], 0.0)
threads = [threading.Thread(target=fill, args=(x, float(value))) for value, x in enumerate(tensors)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("threads", [x.unique().tolist() for x in tensors], flush=True)

child = os.fork()
if child == 0:
    try:
        fill(tensors[0], 9.0)
    except RuntimeError as error:
        print("forked:", error, flush=True)
    os._exit(7)
print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
fill(tensors[0], 5.0)
print("parent", tensors[0].unique().tolist(), sys.argv[0])
