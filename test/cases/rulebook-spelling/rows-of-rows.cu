//@case {"kernel": "factor"}
__global__ void factor(const float* a, float* l, int batch) {
  __shared__ float tiles[8][32][32];
  __shared__ float more[4][8][16];
  const int lane = threadIdx.x;
  float(*own)[32] = tiles[threadIdx.y];
  float (&half)[8][16] = more[threadIdx.y];
  auto& third = more[lane % 4];
  float* last = tiles[threadIdx.y][lane];
  for (int r = 0; r < 32; ++r) own[r][lane] = a[r * 32 + lane];
  half[lane % 8][3] = own[3][lane];
  third[1][lane % 16] = last[5];
  for (int r = 0; r < 32; ++r) l[r * 32 + lane] = own[lane][r];
}
