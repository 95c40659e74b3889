//@case {"kernel": "normalize", "launches": []}
__global__ void normalize(const float* x, float* y, int n) {
  float own[64];
  for (int j = 0; j < 64; ++j) own[j] = x[threadIdx.x * 64 + j];
  float sum = 0.0f;
  for (int j = 0; j < 64; ++j) sum += own[j];  //@ instructions=90000
  y[threadIdx.x] = sum;
}

void run(const float* x, float* y, int rows, int n) { normalize<<<rows, 256>>>(x, y, n); }
