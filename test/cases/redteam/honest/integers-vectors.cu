// task: cuda-integers
// does: int2 where the address allows it

__global__ void triple(const int* x, int* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i + 1 < n) {
    int2 v = *reinterpret_cast<const int2*>(x + i);
    *reinterpret_cast<int2*>(y + i) = make_int2(3 * v.x + 7, 3 * v.y + 7);
  } else if (i < n) {
    y[i] = 3 * x[i] + 7;
  }
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 127) / 128, 64>>>(x, y, n); }
