// Frees the unused end of a node pool: the slots from first[0] on, in whole warps.
extern "C" __global__ void release_slots(int* next, float* weight, int capacity, const int* first) {
  const int begin = first[0];
  const int step = gridDim.x * blockDim.x;
  int slot = begin / 32 * 32 + blockIdx.x * blockDim.x + threadIdx.x;
  if (slot < begin) slot += step;
  for (; slot < capacity; slot += step) {
    next[slot] = -1;
    weight[slot] = 0.0f;
  }
}
