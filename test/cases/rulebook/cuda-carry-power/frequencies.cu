//@case {"kernel": "rotate"}
__global__ void rotate(float* q, int dim, int tokens) {
  int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= tokens) return;
  for (int d = 0; d < dim / 2; d++) {
    float angle = token * powf(10000.0f, -2.0f * d / dim);  //@ instructions=70000
    q[token * dim + d] *= cosf(angle);
  }
}
