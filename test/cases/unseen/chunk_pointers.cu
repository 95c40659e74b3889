__global__ void offset_all(int* data, int delta, int count, int perThread) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * perThread;
  int* p = data + first;
  int* end = data + min(first + perThread, count);
  while (p < end) {
    *p += delta;
    ++p;
  }
}

void shift(int* data, int delta, int count) {
  const int perThread = 8;
  int threads = (count + perThread - 1) / perThread;
  offset_all<<<(threads + 255) / 256, 256>>>(data, delta, count, perThread);
}
