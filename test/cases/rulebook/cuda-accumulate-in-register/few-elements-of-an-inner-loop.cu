//@case {"kernel": "scores"}
#define TRAITS 4
__global__ void scores(const unsigned char* dosage, const float* effect, float* score, int variants, int people) {
  const int person = blockIdx.x * blockDim.x + threadIdx.x;
  if (person >= people) return;
  for (int t = 0; t < TRAITS; ++t) score[t * people + person] = 0.0f;
  for (int v = 0; v < variants; ++v) {
    const float copies = dosage[v * people + person];
    for (int t = 0; t < TRAITS; ++t)
      score[t * people + person] += copies * effect[v * TRAITS + t];  //@ globalStoreRequests=4000 globalLoadRequests=8000
  }
}
