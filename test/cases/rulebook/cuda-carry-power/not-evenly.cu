//@case {"kernel": "steps"}
__global__ void steps(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += powf(x[i], k / 2) + expf(-(float)(k * k)) + powf(x[i], x[k]);  //@ instructions=50000
  for (int s = n; s > 0; s >>= 1) sum += powf(x[i], (float)s);  //@ instructions=50000
  y[i] = sum;
}
