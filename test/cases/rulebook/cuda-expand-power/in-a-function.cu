//@case {"kernel": "collide"}
#define HALF 0.5f
namespace flow {
__device__ float equilibrium(float rho, float eu, float usq) {
  return rho * (1.0f + 3.0f * eu + 4.5f * powf(eu, 2.0f) - 1.5f * usq + powf(fabsf(eu), 3.0f));  //@ instructions=4000
}
__global__ void collide(const float* f, float* g, float tau, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float speed = powf(f[i], HALF) + powf(tau, 1.5f) + powf(f[i] + 1.0f, -2.0f);  //@ instructions=2000
    g[i] = flow::equilibrium(f[i], speed, powf(speed, 2));  //@ instructions=1000
  }
}
}
