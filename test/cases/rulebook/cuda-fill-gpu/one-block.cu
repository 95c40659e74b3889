//@case {"kernel": "twice"}
__global__ void twice(float* x, int n) {
  const int first = threadIdx.x, step = blockDim.x;
  for (int i = first; i < n; i += step) x[i] *= 2.0f;  //@ instructions=4096
}

void run(float* x, int n) { twice<<<1, 512>>>(x, n); }
