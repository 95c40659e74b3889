//@case {"kernel": "shade"}
__global__ void shade(const float* in, float* out, int width, int planes) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int x = blockIdx.y;
  if (p >= planes) return;
  out[p * width + x] = 0.5f * in[p * width + x];  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512 globalLoadRequests=128
}
void run(const float* in, float* out, int width, int planes) {
  shade<<<dim3((planes + 127) / 128, width / 2), 128>>>(in, out, width, planes);
}
