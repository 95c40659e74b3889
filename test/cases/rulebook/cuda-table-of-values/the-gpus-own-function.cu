//@case {"kernel": "blur"}
// What another rewrite has made of expf costs much less, and still more than a look-up.
__global__ void blur(const float* in, float* out, int n, float sigma) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float weights[17];
  float total = 0.0f;
  for (int k = -8; k <= 8; k++) {
    weights[k + 8] = __expf(-(k * k) / (2.0f * sigma * sigma));  //@ instructions=60000
    total += weights[k + 8];
  }
  float sum = 0.0f;
  for (int k = -8; k <= 8; k++) sum += in[min(max(x + k, 0), n - 1)] * weights[k + 8];
  out[x] = sum / total;
}
void run(const float* in, float* out, int n, float sigma) {
  blur<<<(n + 255) / 256, 256>>>(in, out, n, sigma);
}
