//@case {"kernel": "turn"}
__global__ void turn(float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = cosf(x[i]); //@ instructions=30000
  y[i] = sinf(x[i]); //@ instructions=30000
}
void run(float* x, float* y, int n) { turn<<<(n + 127) / 128, 128>>>(x, y, n); }
