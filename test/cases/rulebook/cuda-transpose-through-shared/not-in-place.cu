//@case {"kernel": "flip"}
__global__ void flip(float* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    a[y * n + x] = a[x * n + y]; //@ globalLoadSectors=2048 globalLoadSectorsIdeal=256 globalStoreSectors=256 globalStoreSectorsIdeal=256
}
void run(float* a, int n) { flip<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, n); }
