// task: entry-orientation
// source: q
// does: trusts the sign in single precision where it lies beyond half a rounding of one product, though six roundings went into it; only points that nearly lie on a line show that
// caught by: wrong values

__global__ void orientation(const float2* a, const float2* b, const float2* c, int* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = a[i], q = b[i], r = c[i];
  float left = __fmul_rn(q.x - p.x, r.y - p.y), right = __fmul_rn(q.y - p.y, r.x - p.x), turn = left - right;
  if (fabsf(turn) > 3e-8f * (fabsf(left) + fabsf(right)) + 1e-30f) {
    s[i] = turn > 0.0f ? 1 : -1;
    return;
  }
  double exact = ((double)q.x - p.x) * ((double)r.y - p.y) - ((double)q.y - p.y) * ((double)r.x - p.x);
  s[i] = (exact > 0.0) - (exact < 0.0);
}

void orientations(const float* a, const float* b, const float* c, int* s, int n) {
  orientation<<<(n + 127) / 128, 128>>>((const float2*)a, (const float2*)b, (const float2*)c, s, n);
}
