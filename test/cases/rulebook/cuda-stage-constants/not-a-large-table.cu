//@case {"kernel": "look"}
__constant__ double table[8000];
__global__ void look(const int* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[x[i]]; //@ instructions=90000
}
