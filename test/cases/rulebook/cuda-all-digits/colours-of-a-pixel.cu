//@case {"kernel": "to_ycc"}
__global__ void to_ycc(const unsigned char* rgb, unsigned char* ycc, float* peak, unsigned total) {
  const unsigned k = threadIdx.x + blockIdx.x * blockDim.x;
  if (k >= total) { return; }
  const unsigned char* p = rgb + k / 3 * 3;
  const float r = p[0], g = p[1], b = p[2];
  float v;
  switch (k % 3) {  //@ divergentBranches=700 instructions=8000
    case 0: v = 0.299f * r + 0.587f * g + 0.114f * b; break;
    case 1: v = 128.0f - 0.169f * r - 0.331f * g + 0.5f * b; break;
    default: v = 128.0f + 0.5f * r - 0.419f * g - 0.081f * b; break;
  }
  ycc[k] = (unsigned char)v;
}
void run(const unsigned char* rgb, unsigned char* ycc, float* peak, unsigned total) {
  const unsigned blocks = (total + 255) / 256;
  to_ycc<<<blocks, 256>>>(rgb, ycc, peak, total);
}
