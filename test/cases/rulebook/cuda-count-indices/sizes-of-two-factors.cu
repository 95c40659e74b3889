//@case {"kernel": "enlarge"}
typedef long long int64;
__global__ void enlarge(const int64 total, const float* in, float* out, const int64 c, const int64 h, const int64 w, const int64 f) {
  for (int64 i = blockIdx.x * (int64)blockDim.x + threadIdx.x; i < total; i += (int64)blockDim.x * gridDim.x) {
    const int64 x = i % (w * f);
    const int64 y = (i / (w * f)) % (h * f);
    const int64 k = (i / (w * f) / (f * h)) % c;
    const int64 n = i / (w * f) / (h * f) / c;  //@ instructions=9000
    out[i] = in[((n * c + k) * h + y / f) * w + x / f];
  }
}
