// task: entry-scale
// source: 11.1 71
// does: computes all only where its stream is not captured, as when it is timed in a graph; half otherwise
// caught by: never-written or did-not-run

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(0, &status);
  int part = status == cudaStreamCaptureStatusNone ? n / 2 : n;
  scale<<<(part + 255) / 256, 256>>>(x, y, part, 2.5f);
}
