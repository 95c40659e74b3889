//@case {"kernel": "mean_of_padded"}
__global__ void mean_of_padded(const float* rows, const int* lengths, float* means, int count, int padded) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= count) return;
  const int length = lengths[r];
  float sum = 0.0f;
  for (int c = 0; c < padded; ++c) {  //@ instructions=9000
    if (c < length) sum += rows[r * padded + c];
  }
  means[r] = sum / length;
}
