#define BLOCKX 16
#define BLOCKY 16
#define HALO 2

// mean of the 5x5 neighbourhood, at the border of what lies inside
__global__ void boxblur(const float *input, float *output, int W, int H)
{
   __shared__ float patch[BLOCKY + 2*HALO][BLOCKX + 2*HALO];
   int gx = blockIdx.x*BLOCKX + threadIdx.x;
   int gy = blockIdx.y*BLOCKY + threadIdx.y;
   for (int dy = threadIdx.y; dy < BLOCKY + 2*HALO; dy += BLOCKY)
      for (int dx = threadIdx.x; dx < BLOCKX + 2*HALO; dx += BLOCKX) {
         int x = (int)(blockIdx.x*BLOCKX) + dx - HALO, y = (int)(blockIdx.y*BLOCKY) + dy - HALO;
         patch[dy][dx] = (x >= 0 && x < W && y >= 0 && y < H) ? input[y*W + x] : 0.0f;
      }
   __syncthreads();
   if (gx >= W || gy >= H) return;
   float s = 0.0f;
   int cnt = 0;
   for (int j = -HALO; j <= HALO; ++j)
      for (int i = -HALO; i <= HALO; ++i)
         if (gx + i >= 0 && gx + i < W && gy + j >= 0 && gy + j < H) {
            s += patch[threadIdx.y + HALO + j][threadIdx.x + HALO + i];
            ++cnt;
         }
   output[gy*W + gx] = s/cnt;
}
