//@case {"kernel": "matvec", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["q", "scale", "x", "y", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void matvec(const signed char* q, const float* scale, const float* x, float* y, int n) {
  const int row = blockIdx.x;
  const float s = scale[row];
  float acc = 0.0f;
#pragma unroll 4
  for (int k = threadIdx.x; k < n; k += 32) { //@ instructions=900
    const float w = (float)q[row * n + k] * s; //@ instructions=3000
    acc = acc + w * x[k]; //@ instructions=3000
  }
  for (int o = 16; o > 0; o >>= 1) acc += __shfl_down_sync(0xffffffffu, acc, o);
  if (threadIdx.x == 0) y[row] = acc;
}
void launch(const signed char* q, const float* scale, const float* x, float* y, int n) { matvec<<<n, 32>>>(q, scale, x, y, n); }
