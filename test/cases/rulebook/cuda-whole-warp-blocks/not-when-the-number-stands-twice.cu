//@case {"kernel": "fill"}
__global__ void fill(float* out, int n) {
  int i = blockIdx.x * 100 + threadIdx.x;
  if (i < n) out[i] = 1.0f;  //@ instructions=4000 threadInstructions=100000
}

void run(float* out, int n) {
  fill<<<(n + 99) / 100, 100>>>(out, n);
}
