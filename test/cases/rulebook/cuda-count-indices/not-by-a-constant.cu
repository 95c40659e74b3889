//@case {"kernel": "fade"}
#define WIDTH 640
__global__ void fade(float* image, const float* row_weight, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) image[i] *= row_weight[i / WIDTH];  //@ instructions=4096
}
