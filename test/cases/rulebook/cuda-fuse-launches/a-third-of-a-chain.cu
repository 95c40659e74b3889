//@case {"kernel": "trim"}
// What two kernels did already stands in one; the third leaves early as they do.
__global__ void trim(const float* volts, float* centred, float offset, int count, float* scaled, float gain) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  centred[i] = volts[i] - offset;
  scaled[i] = centred[i] * gain; //@ globalLoadSectors=512 globalStoreSectors=512 globalStoreRequests=256
}
__global__ void limit(const float* __restrict__ in, float* __restrict__ out, float top, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float held = in[i];
  out[i] = held > top ? top : held; //@ globalLoadSectors=256 globalStoreSectors=256
}
void run(const float* volts, float* one, float* two, float offset, float gain, float top, int n) {
  trim<<<(n + 255) / 256, 256>>>(volts, one, offset, n, two, gain);
  limit<<<(n + 255) / 256, 256>>>(two, one, top, n);
}
