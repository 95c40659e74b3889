//@case {"kernel": "kept"}
#define SWAP(a, b) { float t = a; a = b; b = t; }
__global__ void kept(float* in, float* out, int n) {
  int i = threadIdx.x;
  float* walking = in + i * n;
  float* moving = in + i;
  while (i < n) {
    *moving += 1;
    moving += n;
    i += blockDim.x;
  }
  int k = 0;
  while (k < n) {
    if (out[k] < 0) {
      k++;
      continue;
    }
    walking[k] = 0;
    k++;
  }
  out[0] = i + k;
  int s = n / 2;
  n = 3;
  while (s > 0) {
    out[s] = 0;
    s /= 2;
  }
}
