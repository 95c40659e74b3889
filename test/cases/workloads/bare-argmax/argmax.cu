template <int BLOCK>
__global__ void argmax_rows(const float* input, int* output, int n_cols)
{
  __shared__ float best_v[BLOCK];
  __shared__ int best_i[BLOCK];
  float v = -1e38f;
  int at = 0;
  for (int c = threadIdx.x; c < n_cols; c += BLOCK) {
    float x = input[(size_t)blockIdx.x * n_cols + c];
    if (x > v) { v = x; at = c; }
  }
  best_v[threadIdx.x] = v;
  best_i[threadIdx.x] = at;
  __syncthreads();
  for (int s = BLOCK / 2; s >= 1; s >>= 1) {
    if (threadIdx.x < s) {
      float o = best_v[threadIdx.x + s];
      int oi = best_i[threadIdx.x + s];
      if (o > best_v[threadIdx.x] || (o == best_v[threadIdx.x] && oi < best_i[threadIdx.x])) {
        best_v[threadIdx.x] = o;
        best_i[threadIdx.x] = oi;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) output[blockIdx.x] = best_i[0];
}

template __global__ void argmax_rows<256>(const float*, int*, int);
