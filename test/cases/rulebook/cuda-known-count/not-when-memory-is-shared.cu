//@case {"kernel": "forecast", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["state", {"value": "members", "dtype": "int32"}, {"value": "12", "dtype": "int32"}, {"value": "60", "dtype": "int32"}, {"value": "8", "dtype": "float32"}, {"value": "0.01", "dtype": "float32"}]}}, "shapes": [{"sizes": {"members": 4096}}, {"sizes": {"members": 77}}]}}
constexpr int MAX_SITES = 16;

__device__ inline void tendency(const float* x, float* dx, int n, float forcing) {
  for (int i = 0; i < n; ++i) {
    const int next = i + 1 < n ? i + 1 : 0;
    const int last = i > 0 ? i - 1 : n - 1;
    dx[i] = (x[next] - x[last]) * x[last] - x[i] + forcing;  //@ localRequests=81920
  }
}

__global__ void forecast(float* __restrict__ state, int members, int sites, int steps, float forcing, float dt) {
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= members) return;
  __shared__ float last[128];
  last[threadIdx.x] = dt;
  float x[MAX_SITES], k[MAX_SITES];
  for (int i = 0; i < sites; ++i) x[i] = state[(size_t)i * members + m];
  for (int s = 0; s < steps; ++s) {
    tendency(x, k, sites, forcing);
    for (int i = 0; i < sites; ++i) x[i] += dt * k[i];
  }
  for (int i = 0; i < sites; ++i) state[(size_t)i * members + m] = x[i];
}
