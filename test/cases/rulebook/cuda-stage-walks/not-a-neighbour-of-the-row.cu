//@case {"kernel": "recur"}
__global__ void recur(float* x, int rows, int length) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int i = 1; i < length; ++i)
    x[r * length + i] += 0.5f * x[r * length + i - 1]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512 globalStoreSectors=4096 globalStoreSectorsIdeal=512
}
void run(float* x, int rows, int length) { recur<<<(rows + 127) / 128, 128>>>(x, rows, length); }
