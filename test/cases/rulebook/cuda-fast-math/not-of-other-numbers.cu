//@case {"kernel": "shares"}
__global__ void shares(const int* count, const double* weight, float* out, int total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = count[i] / total + weight[i] / 3.0 + out[i] / 2.0f;  //@ instructions=4000
}
