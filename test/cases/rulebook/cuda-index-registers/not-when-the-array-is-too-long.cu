//@case {"kernel": "tree"}
__global__ void tree(const float* x, float* y, int steps) {
  float values[512];
  for (int k = 0; k <= steps; ++k) values[k] = x[k];
  for (int s = steps; s > 0; --s)
    for (int k = 0; k < s; ++k) values[k] = 0.5f * (values[k] + values[k + 1]);  //@ localRequests=8192
  y[threadIdx.x] = values[0];
}

void run(const float* x, float* y, int steps) { tree<<<1, 128>>>(x, y, steps); }
