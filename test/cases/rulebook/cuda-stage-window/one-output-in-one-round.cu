//@case {"kernel": "smooth", "launches": [{"blocks": 782, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
constexpr int REACH = 3;
__constant__ float taps[2 * REACH + 1];
// Elements beyond the ends are left out; the points are taken in steps of the grid.
__global__ void smooth(const short* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float sum = 0.0f;
    for (int k = -REACH; k <= REACH; ++k) {
      const int j = i + k;
      if (j < 0 || n <= j) continue;
      sum += taps[k + REACH] * x[j]; //@ globalLoadSectors=700 loadedAgain=600
    }
    y[i] = sum;
  }
}
void run(const short* x, float* y, int n) { smooth<<<(n + 127) / 128, 128>>>(x, y, n); }
