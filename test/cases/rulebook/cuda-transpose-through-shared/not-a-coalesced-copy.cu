//@case {"kernel": "copy"}
__global__ void copy(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096 globalStoreSectors=4096 globalStoreSectorsIdeal=4096
}
