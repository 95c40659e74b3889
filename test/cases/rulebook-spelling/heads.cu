//@case {"kernel": "sums"}
template <int THREADS>
__global__ void sums(const float* in, float* out, unsigned n) {
  __shared__ float part[THREADS];
  float sum = 0.0f;
  for (unsigned j = threadIdx.x; j < n; j += THREADS) sum += in[j];
  for (unsigned k = 0; k != n; ++k) sum += in[k];
  for (unsigned k = 4; k != n; ++k) sum += in[k];
  part[threadIdx.x] = sum * THREADS;
  for (int s = THREADS >> 1; s; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
void run(const float* in, float* out, unsigned n) { sums<256><<<8, 256>>>(in, out, n); }
