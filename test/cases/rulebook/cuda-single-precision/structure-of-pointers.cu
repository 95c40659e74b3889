//@case {"kernel": "cool"}
struct Plates { const float *hot, *cold; float* gap; };
__device__ float half_life(float t) { return 0.5 * exp(-0.25 * t); }

__global__ void cool(Plates p, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p.gap[i] = rate * half_life(p.hot[i]) - 1.5 * p.cold[i];  //@ instructions=5000 fp64Instructions=3000
}
