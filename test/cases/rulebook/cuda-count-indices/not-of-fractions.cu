//@case {"kernel": "bins"}
__global__ void bins(const float* angles, int* out, int count, int places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float turned = angles[i] + i;
  int bin = (int)(turned * places / (2.0 * count));  //@ instructions=4096
  out[i] = bin;
}
