//@case {"kernel": "narrow"}
template <int Width>
__global__ void widen(const float* wide, float* handed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) handed[i] = wide[i] * Width;  //@ globalStoreRequests=600 globalStoreSectors=9000
}

template <int Width>
__global__ void narrow(const float* handed, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = handed[i] / Width;  //@ globalLoadRequests=600 globalLoadSectors=9000
}

void run(const float* wide, float* handed, float* out, int n) {
  widen<4><<<(n + 255) / 256, 256>>>(wide, handed, n);
  narrow<2><<<(n + 255) / 256, 256>>>(handed, out, n);
}
