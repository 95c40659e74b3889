//@case {"kernel": "ranks", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void ranks(const int* x, int* y, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int k = 0; k < 256; ++k) { //@ instructions=9000
      total += s[(k * 7) % 256]; //@ instructions=9000
      s[k] = total; //@ instructions=9000
    }
  }
  __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}
void launch(const int* x, int* y, int n) { ranks<<<n / 256, 256>>>(x, y, n); }
