// How many wait in each queue after each step, when some come and some go; never less than none.
__global__ void queues(const int* come, const int* go, int* waiting, int rows, int steps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int state = 0;
  for (int i = 0; i < steps; ++i) {
    state = max(0, state + come[row * steps + i] - go[row * steps + i]);
    waiting[row * steps + i] = state;
  }
}

void run_queues(const int* come, const int* go, int* waiting, int rows, int steps) {
  queues<<<(rows + 31) / 32, 32>>>(come, go, waiting, rows, steps);
}
