// task: cuda-integers
// does: int4 with a tail by single threads

__global__ void triple(const int* x, int* y, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int whole = n / 4;
  if (thread < whole) {
    int4 v = reinterpret_cast<const int4*>(x)[thread];
    reinterpret_cast<int4*>(y)[thread] = make_int4(3 * v.x + 7, 3 * v.y + 7, 3 * v.z + 7, 3 * v.w + 7);
  } else if (int i = 4 * whole + (thread - whole); i < n) {
    y[i] = 3 * x[i] + 7;
  }
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n / 4 + 3 + 127) / 128, 128>>>(x, y, n); }
