// task: entry-orientation
// source: n
// does: compares the two products exactly in pairs of floats, but of differences that single precision has rounded
// caught by: wrong values

__global__ void orientation(const float2* a, const float2* b, const float2* c, int* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = a[i], q = b[i], r = c[i];
  float ux = q.x - p.x, uy = q.y - p.y, vx = r.x - p.x, vy = r.y - p.y;
  // A product and what rounding took from it: together they are exact.
  float left = __fmul_rn(ux, vy), leftRest = __fmaf_rn(ux, vy, -left);
  float right = __fmul_rn(uy, vx), rightRest = __fmaf_rn(uy, vx, -right);
  int turn = (left > right) - (left < right);
  if (turn == 0) turn = (leftRest > rightRest) - (leftRest < rightRest);
  s[i] = turn;
}

void orientations(const float* a, const float* b, const float* c, int* s, int n) {
  orientation<<<(n + 127) / 128, 128>>>(reinterpret_cast<const float2*>(a), reinterpret_cast<const float2*>(b),
                                        reinterpret_cast<const float2*>(c), s, n);
}
