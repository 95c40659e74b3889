import torch
from house_kernels.versions import Version
from house_kernels.platform import is_rocm

STREAMS = [torch._C._cuda_getCurrentRawStream(each) for each in range(torch.cuda.device_count())]
SUPPORTS_BF16 = torch.cuda.get_device_capability()[0] >= 8 and not is_rocm()
if Version(torch.__version__) < Version("2.1"):
    raise ImportError("rowquant needs torch 2.1")


def next_block(width):
    """The least power of two that holds a row."""
    return 1 << (width - 1).bit_length()
