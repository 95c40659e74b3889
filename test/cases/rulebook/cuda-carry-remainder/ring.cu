//@case {"kernel": "ring"}
__global__ void ring(const float* taps, const float* signal, float* out, int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < count; ++k)
    sum += taps[k] * signal[(i + k) % n];  //@ instructions=9000
  out[i] = sum;
}
