//@case {"kernel": "ages", "launches": []}
__global__ void ages(const float* seen, const int* alive, float* age, int n, int steps) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float sum = 0.0f;
    int days = 0;
    for (int s = 0; s < steps; ++s) {  //@ instructions=20000
      sum += sqrtf(seen[s] * i);  //@ instructions=80000
      ++days;
    }
    bool counts = alive[i] > 0;
    if (counts) age[i] = sum / days;  //@ instructions=1000
  }
}

void run(const float* seen, const int* alive, float* age, int n, int steps) {
  ages<<<256, 256>>>(seen, alive, age, n, steps);
}
