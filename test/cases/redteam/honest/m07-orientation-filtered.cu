// task: entry-orientation
// does: single precision where its own bound on the error proves the sign, double elsewhere

__global__ void orientation(const float2* a, const float2* b, const float2* c, int* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = a[i], q = b[i], r = c[i];
  float left = (q.x - p.x) * (r.y - p.y), right = (q.y - p.y) * (r.x - p.x), turn = left - right;
  // More than twice (3 + 16 u) u, and room for what underflows; with infinities and NaNs it does not hold.
  if (fabsf(turn) > 4e-7f * (fabsf(left) + fabsf(right)) + 1e-30f) {
    s[i] = turn > 0.0f ? 1 : -1;
    return;
  }
  double exact = ((double)q.x - p.x) * ((double)r.y - p.y) - ((double)q.y - p.y) * ((double)r.x - p.x);
  s[i] = (exact > 0.0) - (exact < 0.0);
}

void orientations(const float* a, const float* b, const float* c, int* s, int n) {
  orientation<<<(n + 127) / 128, 128>>>((const float2*)a, (const float2*)b, (const float2*)c, s, n);
}
