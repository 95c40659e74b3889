//@case {"kernel": "ages", "launches": []}
__global__ void ages(const float* seen, const int* alive, float* trail, float* age, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int s = 0; s < steps; ++s) trail[s * n + i] = sum += seen[s] * i;  //@ instructions=100000
  if (alive[i]) age[i] = sum;  //@ instructions=1000
}

void run(const float* seen, const int* alive, float* trail, float* age, int n, int steps) {
  ages<<<256, 256>>>(seen, alive, trail, age, n, steps);
}
