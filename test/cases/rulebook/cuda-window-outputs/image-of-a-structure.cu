//@case {"kernel": "sharpen", "launches": [{"blocks": 4096, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
struct Plane { const float* data; int cols, rows, pitch; };

__global__ void sharpen(Plane in, float* out) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= in.cols || r >= in.rows) return;
  float total = 0.0f;
#pragma unroll
  for (int j = -3; j <= 3; ++j)
    for (int i = -3; i <= 3; ++i) {
      const int rr = r + j < 0 ? 0 : (r + j > in.rows - 1 ? in.rows - 1 : r + j);
      const int cc = c + i < 0 ? 0 : c + i >= in.cols ? in.cols - 1 : c + i;
      if (c + i < in.cols) total += in.data[rr * in.pitch + cc];  //@ globalLoadSectors=900 loadedAgain=800
    }
  out[r * in.cols + c] = total;
}

void run(Plane p, float* out) {
  dim3 block(32, 8);
  dim3 grid((p.cols + 31) / 32, (p.rows + 7) / 8);
  sharpen<<<grid, block>>>(p, out);
}
