//@case {"kernel": "fade"}
// How many blocks there are is asked of the GPU.
__global__ void fade(float* pixels, float part, long count) {
  for (long at = blockIdx.x * (long)blockDim.x + threadIdx.x; at < count; at += (long)gridDim.x * blockDim.x)
    pixels[at] *= part; //@ instructions=100000
}
void fadeOut(float* pixels, float part, long count) {
  int gpu = 0, processors = 0;
  cudaGetDevice(&gpu);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu);
  fade<<<processors * 4, 256>>>(pixels, part, count);
}
