//@case {"kernel": "settle", "threads": 1}
// Each block of one thread follows one grain.
__global__ void settle(const float* height, float* low, float rate, int steps) {
  int grain = blockIdx.x;
  float h = height[grain];
  for (int k = 0; k < steps; ++k) h -= rate * h; //@ instructions=90000 threadInstructions=90000
  low[grain] = h / gridDim.x;
}
void run(const float* height, float* low, float rate, int grains, int steps) {
  settle<<<grains, 1>>>(height, low, rate, steps);
}
