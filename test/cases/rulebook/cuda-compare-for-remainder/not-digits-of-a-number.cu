//@case {"kernel": "digits"}
__global__ void digits(const float* x, float* y, int wide, int high, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int column = i % wide;  //@ instructions=9000
  int row = (i / wide) % high;  //@ instructions=9000
  y[row + column * high] = x[i];
}
