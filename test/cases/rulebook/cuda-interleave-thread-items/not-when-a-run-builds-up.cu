//@case {"kernel": "scan"}
__global__ void scan(const float* in, float* out, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  float sum = 0.0f;
  for (int p = first; p < min(first + 16, n); ++p) {
    sum += in[p];
    out[p] = sum;  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=256
  }
}
