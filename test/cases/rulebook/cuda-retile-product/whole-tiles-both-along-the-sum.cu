//@case {"kernel": "nt", "spec": {"outputs": {"c": {"dtype": "float32", "shape": [512, 512]}}}}
// Sizes are whole tiles, the loop counts the sum itself, and one tile is stored the other way round.
constexpr int S = 16;
__global__ void nt(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float as[S][S], bs[S][S];
  int i = blockIdx.y * S + threadIdx.y, j = blockIdx.x * S + threadIdx.x, first = blockIdx.x * S;
  float sum = 0.0f;
  for (int p = 0; p < k; p += 16) {
    as[threadIdx.y][threadIdx.x] = a[i * k + p + threadIdx.x]; //@ globalLoadRequests=4096 instructions=20000
    bs[threadIdx.x][threadIdx.y] = b[(first + threadIdx.y) * k + (p + threadIdx.x)]; //@ globalLoadRequests=4096 instructions=20000
    __syncthreads();
    for (int q = 0; q < blockDim.x; ++q) sum = fmaf(as[threadIdx.y][q], bs[q][threadIdx.x], sum); //@ instructions=90000
    __syncthreads();
  }
  c[i * n + j] = sum;
}
void run(const float* a, const float* b, float* c, int n, int k) {
  nt<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n, k);
}
