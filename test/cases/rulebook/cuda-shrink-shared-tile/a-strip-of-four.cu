//@case {"kernel": "strip", "facts": {"sharedBytes": 22528}}
#define SIDE 8
#define MOST 88
__global__ void strip(const unsigned char* in, float* out, int blocks, int strip) {
  __shared__ float cells[MOST][SIDE][SIDE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first = blockIdx.x * strip;
  const int count = min(strip, blocks - first);
  for (int b = 0; b < count; b++) cells[b][y][x] = in[(first + b) * 64 + y * 8 + x];
  __syncthreads();
  for (int b = 0; b < count; b++) out[(first + b) * 64 + y * 8 + x] = cells[b][x][y];
}
void run(const unsigned char* in, float* out, int blocks) {
  const int each = 4;
  strip<<<(blocks + each - 1) / each, dim3(SIDE, SIDE)>>>(in, out, blocks, each);
}
