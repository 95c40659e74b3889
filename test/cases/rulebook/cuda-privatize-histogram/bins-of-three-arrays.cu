//@case {"kernel": "channels"}
struct Histograms {
  unsigned *red, *green;
};

__global__ void channels(const uchar4* image, int width, int height, Histograms h, unsigned* blue) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    uchar4 p = image[y * width + x];
    atomicAdd(&h.red[p.x], 1u);  //@ globalAtomics=1000 globalAtomicPasses=4000
    atomicAdd(&h.green[p.y], 1u);  //@ globalAtomics=1000 globalAtomicPasses=5000
    atomicAdd(blue + p.z, 1u);  //@ globalAtomics=1000 globalAtomicPasses=1000
  }
}

void run(const uchar4* image, int width, int height, Histograms h, unsigned* blue) {
  channels<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, width, height, h, blue);
}
