//@case {"kernel": "sorted"}
__device__ void sort(float* keys, int n);

__global__ void sorted(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float keys[8];
  for (int k = 0; k < 8; ++k) keys[k] = x[k * n + i];  //@ localRequests=8192
  sort(keys, 8);
  out[i] = keys[3];
}

void run(const float* x, float* out, int n) { sorted<<<n / 128, 128>>>(x, out, n); }
