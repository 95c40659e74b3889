//@case {"kernel": "shade"}
__global__ void shade(const float* in, float* out, int width, int height, int planes) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  int x = blockIdx.z;
  if (p >= planes) return;
  out[(p * height + y) * width + x] = 0.5f * in[(p * height + y) * width + x];  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512 globalLoadRequests=128
}
void run(const float* in, float* out, int width, int height, int planes) {
  shade<<<dim3((planes + 127) / 128, height, width), 128>>>(in, out, width, height, planes);
}
