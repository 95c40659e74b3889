//@case {"kernel": "rise"}
__global__ void rise(const float* in, float* out, const double* wide, float base, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = powf(base, in[i]) + powf(-2.0f, in[i]) + powf(1.0f, in[i]) + pow(10.0f, wide[i]);  //@ instructions=4000
}
