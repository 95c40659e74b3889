// task: cuda-integers
// does: one multiply-add in inline PTX

__global__ void triple(const int* x, int* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int result;
    asm("mad.lo.s32 %0, %1, 3, 7;" : "=r"(result) : "r"(__ldg(x + i)));
    y[i] = result;
  }
}

void launch_triple(const int* x, int* y, int n) { triple<<<32, 256>>>(x, y, n); }
