// torch's build for the CPU has the headers for GPUs, but not this one, which its own build writes.
#pragma once

#define C10_CUDA_BUILD_SHARED_LIBS
