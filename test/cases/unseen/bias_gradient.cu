// db[c] = sum over rows of dy[r][c]
__global__ void backward_bias(float* dbias, const float* dout, int total, int oc) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < total) {
    atomicAdd(&dbias[idx % oc], dout[idx]);
  }
}

void bias_gradient(float* dbias, const float* dout, int rows, int oc) {
  int total = rows * oc;
  backward_bias<<<(total + 511) / 512, 512>>>(dbias, dout, total, oc);
}
