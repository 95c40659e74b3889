typedef unsigned char cell;

__global__ void life_step(const cell *now, cell *next, int w, int h)
{
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < w && y < h) {
    int left = (x + w - 1) % w, right = (x + 1) % w;
    int up = (y + h - 1) % h, down = (y + 1) % h;
    int alive = now[up * w + left] + now[up * w + x] + now[up * w + right]
              + now[y * w + left]                    + now[y * w + right]
              + now[down * w + left] + now[down * w + x] + now[down * w + right];
    next[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
  }
}

/* plays `generations` rounds; the board stays in `board` (device memory, w*h cells of 0 or 1) */
void life_play(cell *board, int w, int h, int generations)
{
  cell *other;
  cudaMalloc((void **)&other, w * h);
  dim3 b = {16, 16, 1};
  dim3 g = {(unsigned)(w + 15) / 16, (unsigned)(h + 15) / 16, 1};
  cell *a = board, *c = other;
  for (int i = 0; i < generations; i++) {
    life_step<<<g, b>>>(a, c, w, h);
    cell *t = a; a = c; c = t;
  }
  if (a != board) cudaMemcpy(board, a, w * h, cudaMemcpyDeviceToDevice);
  cudaFree(other);
}
