//@case {"kernel": "blend", "threads": 256, "block": [16, 16, 1]}
#include <cuComplex.h>
__global__ void blend(const cuFloatComplex* a, const cuFloatComplex* b, cuFloatComplex* c, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  cuFloatComplex s = make_cuFloatComplex(0.f, 0.f);
  for (int k = 0; k < n; ++k) s = cuCaddf(s, cuCmulf(a[i * n + k], b[k * n + j])); //@ globalLoadRequests=400000 globalLoadSectors=3000000 globalLoadSectorsIdeal=3000000
  c[i * n + j] = s;
}
void run(const cuFloatComplex* a, const cuFloatComplex* b, cuFloatComplex* c, int n) {
  blend<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n);
}
