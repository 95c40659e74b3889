//@case {"kernel": "standardise", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["s", "gain", "o", {"value": "rows", "dtype": "int32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"rows": 64, "n": 250}}]}}
__global__ void standardise(const float* s, const float* gain, float* o, int rows, int n) {
  const int lane = threadIdx.x & 31;
  for (int row = blockIdx.x * 4 + threadIdx.x / 32; row < rows; row += gridDim.x * 4) {
    const float* from = s + row * n;
    float mean = 0.f;
    for (int b = lane; b < n; b += 32) mean += from[b]; //@ globalLoadSectors=2000 globalLoadRequests=500
    for (int off = 16; off; off >>= 1) mean += __shfl_xor_sync(~0u, mean, off);
    mean /= n;
    float var = 0.f;
    for (int c = lane; c < n; c += 32) {
      const float d = from[c] - mean; //@ globalLoadSectors=2000 globalLoadRequests=500
      var += d * d;
    }
    for (int off = 16; off; off >>= 1) var += __shfl_xor_sync(~0u, var, off);
    for (int b = lane; b < n; b += 32)
      o[row * n + b] = (from[b] - mean) * rsqrtf(var / n) * gain[b]; //@ globalLoadSectors=2000 globalLoadRequests=500
  }
}
void run(const float* s, const float* gain, float* o, int rows, int n) {
  standardise<<<16, 128>>>(s, gain, o, rows, n);
}
