//@case {"kernel": "past_only"}
#define WIDTH 32
__global__ void past_only(const float* query, const float* keys, const float* values, float* out, int steps, float scale) {
  int step = blockIdx.x * blockDim.x + threadIdx.x;
  if (step >= steps) return;
  float sum[WIDTH];
  for (int c = 0; c < WIDTH; ++c) sum[c] = 0.0f;
  float most = -INFINITY, total = 0.0f;
  for (int past = 0; past < steps; ++past) {  //@ instructions=9000
    float score = 0.0f;
    for (int c = 0; c < WIDTH; ++c) score += query[step * WIDTH + c] * keys[past * WIDTH + c];
    score *= scale;
    if (past > step) score = -INFINITY;
    const float next = fmaxf(most, score);
    const float fade = expf(most - next);
    const float weight = expf(score - next);
    total = total * fade + weight;
    for (int c = 0; c < WIDTH; ++c) sum[c] = sum[c] * fade + weight * values[past * WIDTH + c];
    most = next;
  }
  for (int c = 0; c < WIDTH; ++c) out[step * WIDTH + c] = sum[c] / total;
}
