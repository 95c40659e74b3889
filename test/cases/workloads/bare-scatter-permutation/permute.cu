// perm is a permutation of 0 .. n-1
__global__ void permute(const float *in, const int *perm, float *out, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= n) return;
  out[perm[tid]] = in[tid];
}
