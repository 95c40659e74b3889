//@case {"kernel": "decay", "launches": [{"kernel": "decay", "blocks": 12, "threadsPerBlock": 128, "times": 1}]}
__global__ void decay(const float* x, float* y, int steps, int width) {
  for (int t = 1; t < steps; ++t)
    y[(t * 12 + blockIdx.x) * width + threadIdx.x] = 0.9f * y[((t - 1) * 12 + blockIdx.x) * width + threadIdx.x] + x[t];  //@ instructions=4000
}
void run(const float* x, float* y, int steps) { decay<<<12, 128>>>(x, y, steps, 128); }
