// Column budget: the fluxes of all layers are added up per column. Translated from SUBROUTINE COLBUDGET.
typedef float r4;

__global__ void colbudget(const int ncol, const int nlev, const r4 *flx, const r4 *wgt, r4 *bud, r4 *bud2)
{
  const int jc = blockIdx.x * blockDim.x + threadIdx.x;
  if (jc >= ncol) return;

  bud[jc] = 0.0f;
  bud2[jc] = 0.0f;
  for (int jk = 0; jk < nlev; ++jk) {
    bud[jc] = bud[jc] + wgt[jk] * flx[jk * ncol + jc];
    bud2[jc] = bud2[jc] + wgt[jk] * flx[jk * ncol + jc] * flx[jk * ncol + jc];
  }
}

extern "C" void colbudget_(const int *ncol, const int *nlev, const r4 *flx, const r4 *wgt, r4 *bud, r4 *bud2)
{
  const int nthr = 128;
  colbudget<<<(*ncol + nthr - 1) / nthr, nthr>>>(*ncol, *nlev, flx, wgt, bud, bud2);
}
