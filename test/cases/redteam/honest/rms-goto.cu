// task: cuda-rms
// does: macros and gotos as generated code has them, unions for vectors, a switch that falls through

#define FOREVER for (;;)
#define STEP(lane) acc.as_array[(lane)&3] = fmaf(v[(lane)], v[(lane)], acc.as_array[(lane)&3])

union Four {
  float4 as_vector;
  float as_array[4];
};

__global__ void rms(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
  const float* v;
  float scale;
  Four acc;
  if (row >= rows) goto done;
  acc.as_vector = make_float4(0, 0, 0, 0);
  v = x + (size_t)row * columns;
  FOREVER {
    int left = columns - at;
    if (left >= 4) {
      STEP(0); STEP(1); STEP(2); STEP(3);
      v += 4, at += 4;
      continue;
    }
    switch (left) {
      case 3: STEP(2); [[fallthrough]];
      case 2: STEP(1); [[fallthrough]];
      case 1: STEP(0); [[fallthrough]];
      default: goto summed;
    }
  }
summed:
  scale = rsqrtf((acc.as_array[0] + acc.as_array[1] + acc.as_array[2] + acc.as_array[3]) / columns + 1e-6f);
  at = 0;
again:
  if (at >= columns) goto done;
  y[(size_t)row * columns + at] = x[(size_t)row * columns + at] * scale;
  ++at;
  goto again;
done:;
}

void launch_rms(const float* x, float* y, int rows, int columns) { rms<<<(rows + 31) / 32, 32>>>(x, y, rows, columns); }
