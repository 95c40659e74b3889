// task: cuda-softmax
// does: one pass with a running maximum that minus infinity does not disturb

__device__ float2 merged(float2 one, float2 other) {
  float top = fmaxf(one.x, other.x);
  if (top == -INFINITY) return make_float2(top, 0.0f);
  return make_float2(top, one.y * expf(one.x - top) + other.y * expf(other.x - top));
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float2 state = make_float2(-INFINITY, 0.0f);
  for (int c = threadIdx.x; c < columns; c += 32) {
    // A number that is none has to reach the sum.
    if (isnan(row[c])) state.y = row[c];
    else state = merged(state, make_float2(row[c], 1.0f));
  }
  for (int step = 16; step > 0; step /= 2) {
    float2 other = make_float2(__shfl_xor_sync(~0u, state.x, step), __shfl_xor_sync(~0u, state.y, step));
    bool isNone = isnan(state.y) || isnan(other.y);
    state = isNone ? make_float2(0.0f, NAN) : merged(state, other);
  }
  for (int c = threadIdx.x; c < columns; c += 32)
    y[blockIdx.x * columns + c] = state.x == -INFINITY ? NAN : expf(row[c] - state.x) / state.y;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
