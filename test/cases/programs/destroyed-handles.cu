// Streams and events that get the address of one that was destroyed while it captured do not capture.
#include <cstdio>

const char *stateOf(cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(stream, &status);
  return status == cudaStreamCaptureStatusNone ? "does not capture" : "captures";
}

int main() {
  cudaStream_t origin, other, next;
  cudaEvent_t event;
  cudaGraph_t graph;
  cudaStreamCreate(&origin);
  cudaStreamCreate(&other);
  cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal);
  cudaEventCreate(&event);
  cudaEventRecord(event, origin);
  cudaEventDestroy(event);
  cudaEventCreate(&event);
  cudaStreamWaitEvent(other, event, 0);
  std::printf("a stream that waits for a new event %s\n", stateOf(other));
  cudaEventRecord(event, origin);
  cudaStreamWaitEvent(other, event, 0);
  std::printf("a stream that waits for a recorded event %s\n", stateOf(other));
  cudaStreamDestroy(other);
  cudaStreamCreate(&next);
  std::printf("a new stream %s\n", stateOf(next));
  std::printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(origin, &graph)));
  return 0;
}
