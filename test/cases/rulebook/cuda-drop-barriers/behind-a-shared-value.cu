//@case {"kernel": "decay", "launches": []}
struct Rates { float growth, loss; };

__global__ void decay(float* x, const float* given, int n, int steps) {
  __shared__ Rates rates;
  if (threadIdx.x == 0) rates = Rates{given[0], given[1]};
  __syncthreads();  //@ barriers=8
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = i < n ? x[i] : 0.0f;
  for (int s = 0; s < steps; ++s) {
    own += own * (rates.growth - rates.loss * own);
    __syncthreads();  //@ barriers=720
  }
  if (i < n) x[i] = own;
}

void run(float* x, const float* given, int n, int steps) { decay<<<(n + 255) / 256, 256>>>(x, given, n, steps); }
