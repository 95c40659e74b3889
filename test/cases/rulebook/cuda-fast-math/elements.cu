//@case {"kernel": "gate"}
struct Gate { float slope; };
template <int BLOCK>
__global__ void gate(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out, float scale, int n, Gate g) {
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    const float v = x[i] / (1.0f + expf(-scale * x[i]));  //@ instructions=4000
    out[i] = v * 1.0f / static_cast<float>(n / BLOCK) + std::exp(y[i] / v) / g.slope;  //@ instructions=4000
  }
}
