//@case {"kernel": "sums"}
struct Mark { int seen; };
__global__ void sums(const float* x, float2* y) {
  __shared__ float tile[128];
  __shared__ Mark marks[128];
  tile[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x]; //@ instructions=2000
  __syncthreads();
  if (threadIdx.x == 0) {
    float2 total = make_float2(0.0f, 0.0f);
    for (int k = 0; k < 128; k++) {
      total.x += tile[k]; //@ instructions=6000
      total.y += tile[k] * tile[k];
      marks[k].seen = 1;
    }
    y[blockIdx.x] = total;
  }
}
void run(const float* x, float2* y, int n) { sums<<<n / 128, 128>>>(x, y); }
