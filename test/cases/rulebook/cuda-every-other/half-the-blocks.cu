//@case {"kernel": "relax", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::sweep", "arguments": ["u", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 512}}]}}
__global__ void relax(float* u, int n, int colour) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y;
  if (i > 0 && i < n - 1 && ((i + j) & 1) == colour) { //@ divergentBranches=512 branches=512
    u[j * n + i] = 0.5f * (u[j * n + i - 1] + u[j * n + i + 1]);
  }
}
void sweep(float* u, int n) {
  dim3 grid((n + 127) / 128, n);
  relax<<<grid, 128>>>(u, n, 0);
}
