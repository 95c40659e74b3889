//@case {"kernel": "both_rows", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void both_rows(const float* x, float* y, int n) {
  __shared__ float s[2][256];
  const int t = threadIdx.x;
  int from = 0;
  s[from][t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) { //@ instructions=9000
    s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0.0f); //@ instructions=9000
    __syncthreads(); //@ barriers=1152
    from = 1 - from;
  }
  y[blockIdx.x * 256 + t] = s[from][t] - s[1 - from][t];
}
void launch(const float* x, float* y, int n) { both_rows<<<n / 256, 256>>>(x, y, n); }
