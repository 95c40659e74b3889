// CUDA's runtime for kernels as the toolkit's linker is to see it: it makes the machine code of the whole, for
// its facts. What runs is answered by the virtual GPU, by these names.
#undef __cudaCDP2GetParameterBufferV2
#undef __cudaCDP2LaunchDeviceV2
#undef __cudaCDP2LaunchDeviceV2_ptsz
#undef __cudaCDP2GetLastError
#undef __cudaCDP2PeekAtLastError
#undef __cudaCDP2GetErrorString
#undef __cudaCDP2GetErrorName
#undef __cudaCDP2GetDevice
#undef __cudaCDP2GetDeviceCount
#undef __cudaCDP2StreamCreateWithFlags
#undef __cudaCDP2StreamDestroy
#undef __cudaCDP2StreamWaitEvent
#undef __cudaCDP2StreamWaitEvent_ptsz
#undef __cudaCDP2EventCreateWithFlags
#undef __cudaCDP2EventRecord
#undef __cudaCDP2EventRecord_ptsz
#undef __cudaCDP2EventDestroy
#undef __cudaCDP2MemcpyAsync
#undef __cudaCDP2MemcpyAsync_ptsz
#undef __cudaCDP2MemsetAsync
#undef __cudaCDP2MemsetAsync_ptsz
#undef __cudaCDP2Malloc
#undef __cudaCDP2Free

#define ANSWERED(result, name, ...)                                                                          \
  extern "C" __device__ __noinline__ result __cudaCDP2##name(__VA_ARGS__) { return result(); }

using Place = void *;
using Text = const char *;

ANSWERED(Place, GetParameterBufferV2, void *, dim3, dim3, unsigned)
ANSWERED(cudaError_t, LaunchDeviceV2, void *, cudaStream_t)
ANSWERED(cudaError_t, LaunchDeviceV2_ptsz, void *, cudaStream_t)
ANSWERED(cudaError_t, GetLastError)
ANSWERED(cudaError_t, PeekAtLastError)
ANSWERED(Text, GetErrorString, cudaError_t)
ANSWERED(Text, GetErrorName, cudaError_t)
ANSWERED(cudaError_t, GetDevice, int *)
ANSWERED(cudaError_t, GetDeviceCount, int *)
ANSWERED(cudaError_t, StreamCreateWithFlags, cudaStream_t *, unsigned)
ANSWERED(cudaError_t, StreamDestroy, cudaStream_t)
ANSWERED(cudaError_t, StreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned)
ANSWERED(cudaError_t, StreamWaitEvent_ptsz, cudaStream_t, cudaEvent_t, unsigned)
ANSWERED(cudaError_t, EventCreateWithFlags, cudaEvent_t *, unsigned)
ANSWERED(cudaError_t, EventRecord, cudaEvent_t, cudaStream_t)
ANSWERED(cudaError_t, EventRecord_ptsz, cudaEvent_t, cudaStream_t)
ANSWERED(cudaError_t, EventDestroy, cudaEvent_t)
ANSWERED(cudaError_t, MemcpyAsync, void *, const void *, size_t, cudaMemcpyKind, cudaStream_t)
ANSWERED(cudaError_t, MemcpyAsync_ptsz, void *, const void *, size_t, cudaMemcpyKind, cudaStream_t)
ANSWERED(cudaError_t, MemsetAsync, void *, int, size_t, cudaStream_t)
ANSWERED(cudaError_t, MemsetAsync_ptsz, void *, int, size_t, cudaStream_t)
ANSWERED(cudaError_t, Malloc, void **, size_t)
ANSWERED(cudaError_t, Free, void *)
