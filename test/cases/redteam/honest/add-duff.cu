// task: cuda-add
// does: a loop that is entered by a switch in its middle

__global__ void add(const float* a, const float* b, float* out, int n) {
  int stride = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  int left = i < n ? (n - i + stride - 1) / stride : 0;
  if (left == 0) return;
  int rounds = (left + 3) / 4;
  switch (left % 4) {
    case 0:
      do {
        out[i] = a[i] + b[i], i += stride;
        [[fallthrough]];
        case 3: out[i] = a[i] + b[i], i += stride; [[fallthrough]];
        case 2: out[i] = a[i] + b[i], i += stride; [[fallthrough]];
        case 1: out[i] = a[i] + b[i], i += stride;
      } while (--rounds > 0);
  }
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<8, 128>>>(a, b, out, n); }
