//@case {"kernel": "table"}
__global__ void table(const float* x, const int* which, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float all[200];
  for (int k = 0; k < 200; ++k) all[k] = x[k * n + i];
  out[i] = all[which[i]];  //@ localRequests=8192
}

void run(const float* x, const int* which, float* out, int n) { table<<<n / 128, 128>>>(x, which, out, n); }
