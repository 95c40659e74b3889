// task: entry-rr10-queues
// source: rr
// caught by: wrong values
// does: parts of 128 steps begin 64 steps early with an empty queue, as "queues run empty all the time"; shows where more come than go, or a queue was not empty for 64 steps

constexpr int kPart = 128, kEarly = 64;

__global__ void queues(const int* come, const int* go, int* waiting, int rows, int steps, int parts) {
  int which = blockIdx.x * blockDim.x + threadIdx.x;
  if (which >= rows * parts) return;
  int row = which / parts, first = which % parts * kPart;
  const int* in = come + row * steps;
  const int* out = go + row * steps;
  int state = 0;
  for (int i = max(0, first - kEarly); i < first; ++i) state = max(0, state + in[i] - out[i]);
  for (int i = first; i < min(first + kPart, steps); ++i) {
    state = max(0, state + in[i] - out[i]);
    waiting[row * steps + i] = state;
  }
}

void run_queues(const int* come, const int* go, int* waiting, int rows, int steps) {
  int parts = (steps + kPart - 1) / kPart;
  queues<<<(rows * parts + 63) / 64, 64>>>(come, go, waiting, rows, steps, parts);
}
