// task: entry-ra07-rotary
// source: rs
// does: keeps its table of frequencies in memory of whichever GPU was current when the first call of a half came
// caught by: no gain
// why wrong: a call with another GPU current reads memory of the first one, which faults without peer access; and nothing orders the table before calls on other streams

#include <map>

__global__ void frequencies(float* table, int half) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair < half) table[pair] = powf(10000.0f, -(float)pair / half);
}

__global__ void rotary(const float* q, const int* at, const float* table, float* y, int tokens, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tokens * half) return;
  int token = i / half, pair = i % half;
  float s, c;
  sincosf(at[token] * table[pair], &s, &c);
  size_t first = (size_t)token * 2 * half + pair;
  y[first] = q[first] * c - q[first + half] * s;
  y[first + half] = q[first] * s + q[first + half] * c;
}

void rotated(const float* q, const int* at, float* y, int tokens, int half) {
  static std::map<int, float*> tables;
  float*& table = tables[half];
  if (!table) {
    cudaMalloc(&table, sizeof(float) * half);
    frequencies<<<(half + 63) / 64, 64>>>(table, half);
  }
  rotary<<<(tokens * half + 127) / 128, 128>>>(q, at, table, y, tokens, half);
}
