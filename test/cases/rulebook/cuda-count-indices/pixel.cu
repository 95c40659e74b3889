//@case {"kernel": "fade"}
__global__ void fade(float* image, const float* row_weight, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  image[i] *= row_weight[i / width];  //@ instructions=4096
}
