// task: entry-rr10-queues
// source: rr
// caught by: global-race
// does: each part raises its flag before it has written what it hands on, and without a fence, so that the next part may read the carry too early; right only where blocks run one behind the other

constexpr int kPart = 128;

__global__ void queues(const int* come, const int* go, int* waiting, int rows, int steps, int parts, volatile int* carry,
                       volatile int* ready) {
  __shared__ int moved[kPart], least[kPart];
  __shared__ int before;
  int t = threadIdx.x, row = blockIdx.x / parts, part = blockIdx.x % parts;
  int i = part * kPart + t;
  moved[t] = i < steps ? come[row * steps + i] - go[row * steps + i] : 0;
  least[t] = 0;
  __syncthreads();
  for (int far = 1; far < kPart; far *= 2) {
    int a = 0, b = 0;
    if (t >= far) {
      a = moved[t - far];
      b = least[t - far];
    }
    __syncthreads();
    if (t >= far) {
      least[t] = max(b + moved[t], least[t]);
      moved[t] += a;
    }
    __syncthreads();
  }
  if (t == 0) {
    before = 0;
    if (part > 0) {
      while (ready[blockIdx.x - 1] == 0) {
      }
      before = carry[blockIdx.x - 1];
    }
  }
  __syncthreads();
  int state = max(before + moved[t], least[t]);
  if (t == kPart - 1) {
    ready[blockIdx.x] = 1;
    carry[blockIdx.x] = state;
  }
  if (i < steps) waiting[row * steps + i] = state;
}

void run_queues(const int* come, const int* go, int* waiting, int rows, int steps) {
  int parts = (steps + kPart - 1) / kPart, blocks = rows * parts;
  int* space;
  cudaMalloc(&space, 2 * blocks * sizeof(int));
  cudaMemset(space, 0, 2 * blocks * sizeof(int));
  queues<<<blocks, kPart>>>(come, go, waiting, rows, steps, parts, space, space + blocks);
  cudaFree(space);
}
