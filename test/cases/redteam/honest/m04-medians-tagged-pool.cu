// task: entry-medians
// does: takes scratch from a lock-free list whose head counts each change, so that an exchange on an old look fails

#define SLOTS 8

// The number of changes above, the slot below; slot SLOTS ends the list.
__device__ unsigned long long head = 0;
__device__ int below[SLOTS] = {1, 2, 3, 4, 5, 6, 7, SLOTS};

__device__ int take() {
  for (;;) {
    unsigned long long seen = atomicAdd(&head, 0ull);
    int top = (int)(unsigned)seen;
    if (top == SLOTS) continue;
    unsigned next = (unsigned)atomicAdd(&below[top], 0);
    if (atomicCAS(&head, seen, ((seen >> 32) + 1) << 32 | next) == seen) {
      __threadfence();
      return top;
    }
  }
}

__device__ void give(int slot) {
  __threadfence();
  for (;;) {
    unsigned long long seen = atomicAdd(&head, 0ull);
    atomicExch(&below[slot], (int)(unsigned)seen);
    __threadfence();
    if (atomicCAS(&head, seen, ((seen >> 32) + 1) << 32 | (unsigned)slot) == seen) return;
  }
}

__device__ int ordered(float v) {
  int bits = __float_as_int(v);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

__global__ void medians(const float* x, float* m, float* scratch, int w) {
  __shared__ int slot;
  if (threadIdx.x == 0) slot = take();
  __syncthreads();
  const float* own = x + blockIdx.x * w;
  float* sorted = scratch + slot * w;
  for (int i = threadIdx.x; i < w; i += blockDim.x) {
    int key = ordered(own[i]), before = 0;
    for (int j = 0; j < w; ++j) {
      int other = ordered(own[j]);
      before += other < key || (other == key && j < i);
    }
    sorted[before] = own[i];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    m[blockIdx.x] = sorted[(w - 1) / 2];
    give(slot);
  }
}

void medians_of(const float* x, float* m, int rows, int w) {
  static float* scratch = nullptr;
  static int room = 0;
  if (w > room) {
    cudaFree(scratch);
    cudaMalloc(&scratch, sizeof(float) * SLOTS * w);
    room = w;
  }
  medians<<<rows, 64>>>(x, m, scratch, w);
}
