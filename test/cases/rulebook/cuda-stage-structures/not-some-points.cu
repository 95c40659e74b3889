//@case {"kernel": "scale"}
__global__ void scale(float2* z, const int* alive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || alive[i] == 0) return;
  z[i].x *= 2.0f; //@ globalLoadSectors=256 globalLoadSectorsIdeal=128 globalStoreSectors=256 globalStoreSectorsIdeal=128
  z[i].y *= 2.0f; //@ globalLoadSectors=256 globalLoadSectorsIdeal=128 globalStoreSectors=256 globalStoreSectorsIdeal=128
}
void run(float2* z, const int* alive, int n) { scale<<<(n + 127) / 128, 128>>>(z, alive, n); }
