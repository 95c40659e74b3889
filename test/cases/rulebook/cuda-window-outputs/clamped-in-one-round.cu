//@case {"kernel": "sharpen", "launches": [{"blocks": 320, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// One output a thread: its sums stay what they are.
__global__ void sharpen(const unsigned char* in, unsigned char* out, int width, int height, int radius, float amount) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float s = 0.f;
  int n = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      int xx = min(max(x + dx, 0), width - 1), yy = min(max(y + dy, 0), height - 1);
      s += in[yy * width + xx]; //@ globalLoadSectors=900 loadedAgain=800
      ++n;
    }
  float c = in[y * width + x];
  out[y * width + x] = (unsigned char)fminf(fmaxf(c + amount * (c - s / n), 0.f), 255.f);
}
void run(const unsigned char* in, unsigned char* out, int width, int height, int radius, float amount) {
  sharpen<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in, out, width, height, radius, amount);
}
