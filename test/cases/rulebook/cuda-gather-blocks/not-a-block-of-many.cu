//@case {"kernel": "mark", "threads": 64}
__global__ void mark(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i; //@ instructions=90000 threadInstructions=90000
}
void run(int* out, int n) { mark<<<(n + 63) / 64, 64>>>(out, n); }
