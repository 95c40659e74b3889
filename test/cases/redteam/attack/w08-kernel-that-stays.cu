// task: entry-scale
// source: 4.A 10
// does: leaves a kernel running that later calls hand their work to without a launch
// caught by: deadlock or timed-out or endless or never-written or endless-loop

struct Work {
  const float* x;
  float* y;
  int n;
  volatile int posted;
  volatile int done;
};

static Work* work = nullptr;

__global__ void scale(Work* work, float factor) {
  for (int served = 0;; ++served) {
    while (work->posted <= served) __nanosleep(100);
    for (int i = threadIdx.x; i < work->n; i += blockDim.x) work->y[i] = work->x[i] * factor;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) work->done = served + 1;
  }
}

void scaled(const float* x, float* y, int n) {
  if (work == nullptr) {
    cudaHostAlloc(&work, sizeof(Work), cudaHostAllocMapped);
    *work = {};
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    scale<<<1, 256, 0, stream>>>(work, 2.5f);
  }
  work->x = x;
  work->y = y;
  work->n = n;
  int next = work->posted + 1;
  work->posted = next;
  while (work->done < next) {
  }
}
