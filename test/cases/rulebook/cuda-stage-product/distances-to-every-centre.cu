//@case {"kernel": "nearest", "outputs": {"d": {"dtype": "float32", "shape": [512, 512]}}}
// No product, and the sum starts from a parameter: slices end where the loop ends.
template <typename T>
__global__ void nearest(const T* x, const T* centres, float* d, int points, int many, int length, float start)
{
  const int p = threadIdx.y + blockDim.y * blockIdx.y, c = threadIdx.x + blockDim.x * blockIdx.x;
  if (c < many && p < points)
  {
    float sum = start;
    for (int k = 0; k < length; k++) {
      float difference = static_cast<float>(x[p * length + k]) - static_cast<float>(centres[c * length + k]); //@ globalLoadRequests=65536 globalLoadSectors=262144
      sum += difference * difference;
    }
    d[p * many + c] = sqrtf(sum);
  }
}
void run(const float* x, const float* centres, float* d, int points, int many, int length)
{
  dim3 block(32, 8);
  nearest<float><<<dim3((many + 31) / 32, (points + 7) / 8), block>>>(x, centres, d, points, many, length, 0.0f);
}
