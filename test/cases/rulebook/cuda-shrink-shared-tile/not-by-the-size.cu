//@case {"kernel": "strip", "facts": {"sharedBytes": 22528}}
__global__ void strip(const float* in, float* out, int count) {
  __shared__ float cells[88][64];
  for (int b = 0; b < count; b++) cells[b][threadIdx.x] = in[b * 64 + threadIdx.x];
  __syncthreads();
  for (int b = 0; b < count; b++) out[b * 64 + threadIdx.x] = cells[b][63 - threadIdx.x];
}
void run(const float* in, float* out, int count) { strip<<<1, 64>>>(in, out, count); }
