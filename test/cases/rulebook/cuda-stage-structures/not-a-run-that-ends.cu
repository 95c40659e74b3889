//@case {"kernel": "twice"}
__global__ void twice(const float* x, float* y, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k)
    if (t * 4 + k < n) y[t * 4 + k] = 2.0f * x[t * 4 + k]; //@ globalLoadSectors=512 globalLoadSectorsIdeal=128 globalStoreSectors=512 globalStoreSectorsIdeal=128
}
void run(const float* x, float* y, int n) { twice<<<(n + 511) / 512, 128>>>(x, y, n); }
