// Eight rounds of a three-point mean; the ends stay.
__global__ void blur(const float* from, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool isEnd = i == 0 || i == n - 1;
  to[i] = isEnd ? from[i] : 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
}

void blurred(const float* x, float* y, int n) {
  float* room;
  cudaMalloc(&room, n * sizeof(float));
  const float* from = x;
  for (int round = 0; round < 8; ++round) {
    float* to = round % 2 == 0 ? room : y;
    blur<<<(n + 127) / 128, 128>>>(from, to, n);
    from = to;
  }
  cudaFree(room);
}
