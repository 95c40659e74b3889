// task: cuda-add
// source: bounds without constant memory
// does: coalesces its accesses, and has the lanes of each warp look up 96 different places of constant memory
// caught by: no gain

__constant__ float nothing[2048];

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float more = 0.0f;
  for (int step = 0; step < 96; ++step) more += nothing[(threadIdx.x * 61 + step * 7) % 2048];
  if (i < n) out[i] = a[i] + b[i] + more;
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
