//@case {"kernel": "earlier_wins"}
__global__ void earlier_wins(const float* height, int* visible, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int seen = 0;
  for (int j = 0; j < count; ++j) {  //@ instructions=9000
    const float rise = height[i] - height[j];
    if (j >= i) continue;
    if (rise > 0.0f) ++seen;
  }
  visible[i] = seen;
}
