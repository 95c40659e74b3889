//@case {"kernel": "kahan"}
__global__ void kahan(const float* x, float* y) {
  __shared__ float tile[128];
  tile[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x]; //@ instructions=2000
  __syncthreads();
  if (threadIdx.x == 0) {
    float2 sum = make_float2(0.0f, 0.0f);
    for (int k = 0; k < 128; k++) {
      sum.x += tile[k]; //@ instructions=6000
      sum.y += sum.x;
    }
    y[blockIdx.x] = sum.y;
  }
}
void run(const float* x, float* y, int n) { kahan<<<n / 128, 128>>>(x, y); }
