// task: entry-ra07-rotary
// source: ra
// does: takes the fast sine and cosine of angles up to 32767, whose error is only bounded within a turn
// caught by: wrong values

__global__ void rotary(const float* q, const int* at, float* y, int half) {
  int token = blockIdx.x;
  float position = at[token];
  for (int pair = threadIdx.x; pair < half; pair += blockDim.x) {
    float s, c;
    __sincosf(position * powf(10000.0f, -(float)pair / half), &s, &c);
    size_t first = (size_t)token * 2 * half + pair;
    float a = q[first], b = q[first + half];
    y[first] = a * c - b * s;
    y[first + half] = a * s + b * c;
  }
}

void rotated(const float* q, const int* at, float* y, int tokens, int half) { rotary<<<tokens, 64>>>(q, at, y, half); }
