//@case {"kernel": "energy"}
__global__ void energy(const float* __restrict__ x, float* result, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (const int left = n - i; left <= 0) return;
  float v = x[i];
  atomicAdd(&result[0], 0.5f * v * v);  //@ globalAtomics=1024 globalAtomicLanes=32768 globalAtomicPasses=32768
}

void run(const float* x, float* result, int n) {
  energy<<<(n + 255) / 256, 256>>>(x, result, n);
}
