//@case {"kernel": "ages", "launches": []}
__device__ void add(float& sum, float value) { sum += value; }

__global__ void ages(const float* seen, float* age, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int s = 0; s < steps; ++s) add(sum, seen[s] * i);  //@ instructions=100000
  if (sum > 0.0f) age[i] = sum;  //@ instructions=1000
}

void run(const float* seen, float* age, int n, int steps) { ages<<<256, 256>>>(seen, age, n, steps); }
