// Explicit Euler step of the heat equation on a plate with fixed rim.
#define IDX(r, c) ((r) * nc + (c))

template <typename Real>
__global__ void heat_step(const Real *__restrict__ told, Real *__restrict__ tnew, int nr, int nc, Real alpha)
{
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= nr || c >= nc) return;
  const Real here = told[IDX(r, c)];
  if (r == 0 || c == 0 || r == nr - 1 || c == nc - 1) {
    tnew[IDX(r, c)] = here;
    return;
  }
  const Real lap = told[IDX(r - 1, c)] + told[IDX(r + 1, c)] + told[IDX(r, c - 1)] + told[IDX(r, c + 1)] - 4.0 * here;
  const Real conductivity = 0.05 * exp(-0.5 * here * here) + 0.01 / (1.0 + 0.3 * here * here);
  const Real drive = conductivity * lap - 0.001 * here;
  tnew[IDX(r, c)] = here + alpha * drive * (1.0 - 0.25 * alpha * lap);
}

void plate_step(const float *told, float *tnew, int nr, int nc, float alpha)
{
  dim3 tb(32, 8);
  dim3 gr((nc + tb.x - 1) / tb.x, (nr + tb.y - 1) / tb.y);
  heat_step<float><<<gr, tb>>>(told, tnew, nr, nc, alpha);
}
