//@case {"kernel": "blend", "spec": {"outputs": {"c": {"dtype": "float32", "shape": [512, 512]}}}}
__global__ void blend(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int t = 0; t < n / 16; t++) {
    as[ty][tx] = a[row * n + t * 16 + tx]; //@ globalLoadRequests=4096 instructions=20000
    bs[ty][tx] = b[(t * 16 + ty) * n + column]; //@ globalLoadRequests=4096 instructions=20000
    __syncthreads();
    for (int p = 0; p < 16; ++p) sum += as[ty][p] * bs[p][(tx + 1) % 16]; //@ instructions=90000
    __syncthreads();
  }
  c[row * n + column] = sum;
}
void run(const float* a, const float* b, float* c, int n) { blend<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n); }
