//@case {"kernel": "count"}
struct Counters {
  int* inside;
  int* outside;
};

__global__ void count(const float* x, int width, int height, Counters counters) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width) return;
  if (row >= height) return;
  if (x[row * width + column] > 0.5f)
    atomicAdd(counters.inside, 1);  //@ globalAtomics=1000 globalAtomicPasses=16000
  else
    atomicAdd(counters.outside, 1);  //@ globalAtomics=1000 globalAtomicPasses=16000
}

void run(const float* x, int width, int height, Counters counters) {
  count<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(x, width, height, counters);
}
