// A kernel that launches another one: the virtual GPU takes launches of host code only.
__global__ void child(int *out) { *out = 1; }
__global__ void parent(int *out) { child<<<1, 1>>>(out); }

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  parent<<<1, 1>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
