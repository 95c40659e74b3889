//@case {"kernel": "beside"}
__device__ inline bool isHotter(float a, float b) { return a > b; }
__global__ void beside(const float* heat, float* out, int rows, int width, int pitch, unsigned left) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  const float* cell = heat + r * pitch;
  for (int k = 0; k < width; ++k, ++cell) sum += *cell;
  int again = 0;
  do { sum += heat[r * pitch + again]; } while (++again < width);
  int last = 3;
  do { sum += heat[r * pitch + last]; ++last; } while (last < width);
  int pair = r * pitch;
  for (int m = 0; m < width; m += 1) { sum += heat[pair]; pair++; sum *= heat[pair]; pair++; }
  for (int a = 0, b = rows; a < width; ++a, b += pitch) sum += heat[a + b];
  int down = width;
  while (down--) sum += heat[r * pitch + down];
  unsigned count = width;
  while (count-- > 0) sum *= 0.5f;
  while (left-- != 0) sum *= 0.25f;
  const float* near = heat + r * pitch + threadIdx.x;
  for (int c = threadIdx.x; c < width; c += blockDim.x) { sum += *near; near += blockDim.x; }
  const float *at = heat + r * pitch, *end = at + width;
  while (at != end) { float here = *at++; sum += here; }
  int v = 0;
  while (v < width) { float here = heat[v]; v++; sum += here * heat[v]; }
  for (int j = 0; j < width; ++j) if (isHotter(heat[j], sum)) sum = heat[j];
  // Kept: a `continue` passes over the step, and the variable is needed behind the loop.
  int kept = 0;
  for (int k = 0; k < width; ++k) { if (heat[k] < 0) continue; sum += heat[kept]; kept++; }
  int known = 0;
  for (int k = 0; k < width; ++k) { sum += heat[known]; known++; }
  do { if (sum < 0) continue; sum *= 2; } while (++kept < width);
  if (!threadIdx.x) out[r] = sum + known;
}
