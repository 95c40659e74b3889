//@case {"kernel": "heavy"}
struct Hit {
  float score;
  int id;
};

__global__ void heavy(const float* x, const int* which, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Hit hits[4];
  int count = 0;
  for (int k = 0; k < 64; ++k) {
    const float v = x[k * n + i];
    if (v < 0.5f) continue;
    int p = count < 4 ? count : 3;
    if (count < 4) count += 1;
    for (; p > 0 && hits[p - 1].score < v; p--) hits[p] = hits[p - 1];  //@ localRequests=81920
    hits[p].score = v;
    hits[p].id = k;
  }
  const float mine = hits[which[i]].score;
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k)
    if (k < count) sum += hits[k].score * hits[k].id;
  out[i] = sum + mine;
}

void run(const float* x, const int* which, float* out, int n) { heavy<<<(n + 127) / 128, 128>>>(x, which, out, n); }
