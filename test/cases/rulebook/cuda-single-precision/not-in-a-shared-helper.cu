//@case {"kernel": "gelu"}
__device__ float act(float v) { return 0.5 * v * (1.0 + tanh(v)); }  //@ fp64Instructions=8000

__global__ void gelu(const float* in, float* out, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) out[i] = act(in[i]);
}

__global__ void gelu_doubles(const double* in, double* out, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) out[i] = act(in[i]);
}
