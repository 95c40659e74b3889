// task: entry-column-max
// does: turns to the device that its arguments lie on, and back to the one that was current

__global__ void column_max(const float* x, float* y, int rows, int columns) {
  __shared__ float part[8][32];
  int c = blockIdx.x * 32 + threadIdx.x;
  float largest = -INFINITY;
  if (c < columns)
    for (int r = threadIdx.y; r < rows; r += 8) {
      float number = x[static_cast<size_t>(r) * columns + c];
      if (number > largest || number != number) largest = number;
    }
  part[threadIdx.y][threadIdx.x] = largest;
  __syncthreads();
  if (threadIdx.y > 0 || c >= columns) return;
  for (int k = 1; k < 8; ++k) {
    float number = part[k][threadIdx.x];
    if (number > largest || number != number) largest = number;
  }
  y[c] = largest;
}

void largest_of_columns(const float* x, float* y, int rows, int columns) {
  cudaPointerAttributes place;
  int before = 0, devices = 0, multiprocessors = 0;
  cudaGetDeviceCount(&devices);
  cudaGetDevice(&before);
  cudaPointerGetAttributes(&place, x);
  if (place.device != before && place.device < devices) cudaSetDevice(place.device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, place.device);
  if (multiprocessors == 0) return;
  column_max<<<(columns + 31) / 32, dim3(32, 8)>>>(x, y, rows, columns);
  cudaSetDevice(before);
}
