//@case {"kernel": "shifted"}
__global__ void shifted(const float* x, float* y, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float most = -1e30f, total = 0.0f, sum = 0.0f;
  for (int j = 0; j < n; ++j) {  //@ instructions=9000
    float s = j <= i + shift ? x[j] : -1e30f;
    float next = fmaxf(most, s);
    float fade = expf(most - next), weight = expf(s - next);
    total = total * fade + weight;
    sum = sum * fade + weight * x[n + j];
    most = next;
  }
  y[i] = sum / total;
}
