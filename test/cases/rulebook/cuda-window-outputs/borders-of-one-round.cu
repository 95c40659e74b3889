//@case {"kernel": "mean", "launches": [{"blocks": 320, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// The window is walked in coordinates of the image, its radius is an argument, and pixels outside are left out.
__global__ void mean(const float* image, float* out, int width, int height, int radius) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(col < width && row < height)) return;
  float sum = 0, count = 0;
  for (int r = row - radius; r <= row + radius; ++r)
    for (int c = col - radius; c <= col + radius; ++c) {
      if (r < 0 || c < 0 || r >= height || width <= c) continue;
      sum += image[r * width + c]; //@ globalLoadSectors=900 loadedAgain=800
      count += 1;
    }
  out[row * width + col] = sum / count;
}
void run(const float* image, float* out, int width, int height, int radius) {
  mean<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, out, width, height, radius);
}
