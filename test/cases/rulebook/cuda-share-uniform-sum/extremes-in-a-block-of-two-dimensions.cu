//@case {"kernel": "stretch", "spec": {"run": {"kind": "launch", "launch": {"block": [16, 16], "arguments": ["x", "y"]}}}}
// A block of two dimensions, extremes beside a sum, and a walk that ends at its end.
__global__ void stretch(const float* x, float* y, int first, int last, int width) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float low = x[first], high = x[first];
  double all = 0.0;
  #pragma unroll 4
  for (int k = first; k <= last; ++k) { //@ instructions=9000
    low = fminf(low, x[k]);
    if (x[k] > high) high = x[k];
    all += x[k];
  }
  y[row * width + column] = (x[row * width + column] - low) / (high - low) + (float)all;
}
