// task: cuda-add
// does: loads the next pair while it adds the last

__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
  int step = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = i < n ? a[i] : 0.0f, right = i < n ? b[i] : 0.0f;
  while (i < n) {
    int next = i + step;
    float nextLeft = next < n ? a[next] : 0.0f, nextRight = next < n ? b[next] : 0.0f;
    out[i] = left + right;
    left = nextLeft, right = nextRight, i = next;
  }
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<32, 256>>>(a, b, out, n); }
