//@case {"kernel": "brightest", "threads": 256, "launches": [{"blocks": 20000}]}
// The brightest of all frames at each pixel: a block for each pixel.
__global__ void brightest(const float* frames, float* out, int count, int pixels) {
  __shared__ float best[256];
  __shared__ int seen;
  if (threadIdx.x == 0) seen = 0;
  float most = 0.0f;
  for (int k = threadIdx.x; k < count; k += blockDim.x)
    most = fmaxf(most, frames[(size_t)k * pixels + blockIdx.x]); //@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
  best[threadIdx.x] = most;
  __syncthreads();
  if (most > 1.0f) atomicAdd(&seen, 1);
  for (int s = 256 / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = best[0] + seen;
  }
}
void run(const float* frames, float* out, int count, int pixels) {
  brightest<<<pixels, 256>>>(frames, out, count, pixels);
}
