//@case {"kernel": "walk"}
#define DEPTH 24
__global__ void walk(const int* left, const int* right, const float* value, int* stack, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int top = 0;
  float sum = 0.0f;
  stack[i * DEPTH] = i;
  while (top >= 0) {
    int node = stack[(size_t)i * DEPTH + top];  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
    --top;
    sum += value[node];
    if (left[node] >= 0) stack[i * DEPTH + ++top] = left[node];  //@ globalStoreSectors=32768 globalStoreSectorsIdeal=4096
    if (right[node] >= 0) stack[i * DEPTH + ++top] = right[node];
  }
  out[i] = sum;
}

void run(const int* left, const int* right, const float* value, float* out, int n) {
  int* stack = nullptr;
  cudaMalloc((void**)&stack, sizeof(int) * DEPTH * n);
  walk<<<(n + 127) / 128, 128>>>(left, right, value, stack, out, n);
  cudaDeviceSynchronize();
  cudaFree(stack);
}
