// task: entry-window
// does: a window over two pieces of 32 is the end of the one and the start of the other: two scans of a warp and no subtraction

__global__ void window(const float* x, float* y, int length) {
  int lane = threadIdx.x % 32, piece = blockIdx.x * 4 + threadIdx.x / 32, i = piece * 32 + lane;
  if (piece * 32 >= length) return;
  const float* row = x + blockIdx.y * length;
  float start = i < length ? row[i] : 0.0f, end = piece > 0 ? row[i - 32] : 0.0f;
  for (int o = 1; o < 32; o *= 2) {
    float before = __shfl_up_sync(~0u, start, o), after = __shfl_down_sync(~0u, end, o);
    if (lane >= o) start += before;
    if (lane + o < 32) end += after;
  }
  // The window of this lane begins one behind its lane in the piece before.
  float rest = __shfl_down_sync(~0u, end, 1);
  if (i < length) y[blockIdx.y * length + i] = lane < 31 ? rest + start : start;
}

void windows(const float* x, float* y, int rows, int length) {
  window<<<dim3((length + 127) / 128, rows), 128>>>(x, y, length);
}
