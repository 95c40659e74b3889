//@case {"kernel": "pack"}
// The points are counted through; the store runs along j, the load along i.
template <typename T>
__global__ void pack(const T* __restrict__ from, T* __restrict__ to, const float* bias, int n, int m, float scale) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n * m) return;
  const int i = p / m;
  const int j = p % m;
  to[p] = from[j * n + i] * scale + bias[j]; //@ globalLoadSectors=2304 globalLoadSectorsIdeal=512 globalStoreSectors=256 globalStoreSectorsIdeal=256
}
void run(const float* from, float* to, const float* bias, int n, int m) {
  pack<float><<<(n * m + 127) / 128, 128>>>(from, to, bias, n, m, 2.0f);
}
