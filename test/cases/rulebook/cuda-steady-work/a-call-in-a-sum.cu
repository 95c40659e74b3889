//@case {"kernel": "scores", "launches": []}
static __device__ float norm(const float* v, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += v[k] * v[k];  //@ instructions=50000
  return rsqrtf(sum);
}

__global__ void scores(const float* query, const float* keys, float* score, int dim, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    score[i] = 0.0f;
#pragma unroll 4
    for (int k = 0; k < dim; ++k) {
      score[i] += query[k] * norm(query, dim) * keys[k * n + i];  //@ instructions=4000
    }
  }
}

void run(const float* query, const float* keys, float* score, int dim, int n) {
  scores<<<(n + 255) / 256, 256>>>(query, keys, score, dim, n);
}
