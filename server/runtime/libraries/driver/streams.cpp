// Streams and events in the driver API.
#include "libraries/driver/driver.hpp"

using namespace kernelwright::driver;

extern "C" {

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return resultOf(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  return resultOf(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream) { return resultOf(cudaStreamDestroy(stream)); }
CUresult cuStreamSynchronize(CUstream stream) { return resultOf(cudaStreamSynchronize(stream)); }
CUresult cuStreamQuery(CUstream stream) { return resultOf(cudaStreamQuery(stream)); }

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return resultOf(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return resultOf(cudaLaunchHostFunc(stream, function, data));
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return resultOf(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) { return resultOf(cudaEventDestroy(event)); }
CUresult cuEventRecord(CUevent event, CUstream stream) { return resultOf(cudaEventRecord(event, stream)); }
CUresult cuEventSynchronize(CUevent event) { return resultOf(cudaEventSynchronize(event)); }
CUresult cuEventQuery(CUevent event) { return resultOf(cudaEventQuery(event)); }

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return resultOf(cudaEventElapsedTime(milliseconds, start, end));
}

} // extern "C"
