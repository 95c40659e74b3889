// task: entry-rr10-queues
// does: a warp for a queue: steps of the kind max(state + a, b) compose to one of that kind, so that shuffles scan 32 at once; whole numbers, so exact, and no draw has to run empty

__global__ void queues(const int* come, const int* go, int* waiting, int rows, int steps) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;  // a whole warp
  int state = 0;
  for (int first = 0; first < steps; first += 32) {
    int i = first + lane;
    int a = i < steps ? come[row * steps + i] - go[row * steps + i] : 0, b = 0;
#pragma unroll
    for (int far = 1; far < 32; far *= 2) {
      int before = __shfl_up_sync(0xffffffffu, a, far), least = __shfl_up_sync(0xffffffffu, b, far);
      if (lane >= far) {
        b = max(least + a, b);
        a += before;
      }
    }
    int now = max(state + a, b);
    if (i < steps) waiting[row * steps + i] = now;
    state = __shfl_sync(0xffffffffu, now, 31);
  }
}

void run_queues(const int* come, const int* go, int* waiting, int rows, int steps) {
  queues<<<(rows + 1) / 2, 64>>>(come, go, waiting, rows, steps);
}
