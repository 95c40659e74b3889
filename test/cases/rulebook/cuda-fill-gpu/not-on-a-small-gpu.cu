//@case {"kernel": "twice", "gpu": "T4"}
__global__ void twice(float* x, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    x[i] *= 2.0f;  //@ instructions=4096
}

void run(float* x, int n) { twice<<<60, 256>>>(x, n); }
