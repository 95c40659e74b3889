__global__ void histogram(const unsigned char* pixels, int* counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(counts + pixels[i], 1);
}

void launch_histogram(const unsigned char* pixels, int* counts, int n) {
  histogram<<<(n + 1023) / 1024, 128>>>(pixels, counts, n);
}
