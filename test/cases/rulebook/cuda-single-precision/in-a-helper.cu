//@case {"kernel": "gelu"}
__device__ double bent(double v) { return 1.0 + tanh(0.79788456 * (v + 0.044715 * v * v * v)); }  //@ fp64Instructions=40000
__device__ float act(float v) { return 0.5 * v * bent(v); }  //@ fp64Instructions=8000

__global__ void gelu(const float* in, float* out, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) out[i] = act(in[i]);
}
