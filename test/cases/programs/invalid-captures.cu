// What a capture forbids, and that nothing is left of a capture to which it happened.
#include <cstdio>
#include <thread>

__global__ void put(int *at) { *at = 1; }

static int *memory;
static cudaStream_t stream;
static cudaEvent_t event;

static cudaError_t waitForStream() { return cudaStreamSynchronize(stream); }
static cudaError_t askStream() { return cudaStreamQuery(stream); }
static cudaError_t waitForDevice() { return cudaDeviceSynchronize(); }
static cudaError_t waitForEvent() { return cudaEventSynchronize(event); }

static cudaError_t allocate() {
  int *pointer = nullptr;
  return cudaMalloc(&pointer, 4);
}

static cudaError_t allocateElsewhere() {
  cudaError_t error;
  std::thread([&error] { error = allocate(); }).join();
  return error;
}

static cudaError_t allocateRelaxed() {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  const cudaError_t error = allocate();
  cudaThreadExchangeStreamCaptureMode(&mode);
  return error;
}

static cudaError_t endElsewhere() {
  cudaError_t error;
  cudaGraph_t graph;
  std::thread([&] { error = cudaStreamEndCapture(stream, &graph); }).join();
  return error;
}

static void capture(const char *what, cudaStreamCaptureMode mode, cudaError_t act()) {
  cudaStreamBeginCapture(stream, mode);
  put<<<1, 1, 0, stream>>>(memory);
  cudaEventRecord(event, stream);
  std::printf("%s: %s", what, cudaGetErrorName(act()));
  put<<<1, 1, 0, stream>>>(memory);
  std::printf(", launch: %s", cudaGetErrorName(cudaGetLastError()));
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(stream, &status);
  cudaGraph_t graph;
  const cudaError_t error = cudaStreamEndCapture(stream, &graph);
  std::printf(", status %d, end: %s, graph: %d", status, cudaGetErrorName(error), graph != nullptr);
  cudaGetLastError();
  std::printf(", then %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
}

int main() {
  cudaMalloc(&memory, 4);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  capture("waits for its stream", cudaStreamCaptureModeGlobal, waitForStream);
  capture("asks its stream", cudaStreamCaptureModeRelaxed, askStream);
  capture("waits for the device", cudaStreamCaptureModeGlobal, waitForDevice);
  capture("waits for an event", cudaStreamCaptureModeThreadLocal, waitForEvent);
  capture("allocates", cudaStreamCaptureModeThreadLocal, allocate);
  capture("allocates elsewhere", cudaStreamCaptureModeGlobal, allocateElsewhere);
  capture("allocates elsewhere, thread-local", cudaStreamCaptureModeThreadLocal, allocateElsewhere);
  capture("allocates, relaxed", cudaStreamCaptureModeRelaxed, allocate);
  capture("allocates as a relaxed thread", cudaStreamCaptureModeGlobal, allocateRelaxed);
  capture("ends elsewhere", cudaStreamCaptureModeThreadLocal, endElsewhere);
  return 0;
}
