// task: cuda-add
// does: macros that paste the names of variables together

#define LOAD(k) float x##k = i + k < n ? a[i + k] + b[i + k] : 0.0f;
#define STORE(k) \
  if (i + k < n) out[i + k] = x##k;
#define FOR_ALL(WHAT) WHAT(0) WHAT(1) WHAT(2)

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 3;
  FOR_ALL(LOAD)
  FOR_ALL(STORE)
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 383) / 384, 128>>>(a, b, out, n); }
