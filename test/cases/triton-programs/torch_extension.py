"""A torch extension as it is written for a GPU: its kernels run on the virtual one, on torch's tensors."""
import os
import sys
import tempfile

import torch
from torch.utils.cpp_extension import CUDA_HOME, load

sources = [os.path.join(os.path.dirname(__file__), name) for name in ("torch_extension.cu", "torch_extension_operators.cpp")]
flags = ["-O1", "-DAT_PER_OPERATOR_HEADERS"]
with tempfile.TemporaryDirectory() as folder:
    load("example", sources, build_directory=folder, is_python_module=False, extra_cflags=flags,
         extra_cuda_cflags=[*flags, "-gencode=arch=compute_90a,code=sm_90a"])
operations = torch.ops.example
x = torch.arange(1000.0, device="cuda")
y = operations.scale(x[10:], 2.0)
print(y.device, torch.equal(y, x[10:] * 2), operations.multiprocessors(), CUDA_HOME is not None)
target = torch.empty_like(x)
operations.move(x, target)
print(target.sum().item(), x.sum().item())
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start.record()
operations.scale(y, 3.0)
end.record()
print("modelled", start.elapsed_time(end) > 0)
try:
    operations.scale(torch.ones(1), 1.0)
except NotImplementedError as error:
    print(str(error).split(" with")[0])
try:
    operations.beyond(y)
except RuntimeError as error:
    print(str(error).split("\n")[0])
