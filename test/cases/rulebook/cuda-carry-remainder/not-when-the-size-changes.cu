//@case {"kernel": "sieve"}
__global__ void sieve(const int* x, int* y, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int size = 1;
  for (int k = 0; k < turns; ++k) {
    size += x[k];
    y[i] += (i + k) % size;  //@ instructions=9000
  }
}
