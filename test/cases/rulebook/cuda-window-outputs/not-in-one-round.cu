//@case {"kernel": "mean", "launches": [{"blocks": 320, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// The image has a rim, so that no condition guards the window.
__global__ void mean(const float* image, float* out, int width, int height) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(col < width && row < height)) return;
  float sum = 0;
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) sum += image[(row + r) * (width + 4) + col + c]; //@ globalLoadSectors=900 loadedAgain=800
  out[row * width + col] = sum / 25;
}
void run(const float* image, float* out, int width, int height) {
  mean<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, out, width, height);
}
