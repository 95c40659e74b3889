// Two-dimensional copies and fills with pitches on either side, and a box of three dimensions.
#include <cstdio>
#include <vector>

__global__ void transpose(const short *in, size_t inPitch, short *out, size_t outPitch, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const short value = *reinterpret_cast<const short *>(reinterpret_cast<const char *>(in) + row * inPitch + column * sizeof(short));
  *reinterpret_cast<short *>(reinterpret_cast<char *>(out) + column * outPitch + row * sizeof(short)) = value;
}

int main() {
  const int width = 37, height = 21;
  std::vector<short> in(width * height), out(width * height);
  for (int index = 0; index < width * height; ++index) in[index] = index;
  short *deviceIn, *deviceOut;
  size_t inPitch, outPitch;
  cudaMallocPitch(&deviceIn, &inPitch, width * sizeof(short), height);
  cudaMallocPitch(&deviceOut, &outPitch, height * sizeof(short), width);
  std::printf("pitches %zu and %zu\n", inPitch, outPitch);
  cudaMemcpy2D(deviceIn, inPitch, in.data(), width * sizeof(short), width * sizeof(short), height, cudaMemcpyHostToDevice);
  cudaMemset2D(deviceOut, outPitch, 0xff, height * sizeof(short), width);
  const dim3 block(16, 8);
  transpose<<<dim3((width + 15) / 16, (height + 7) / 8), block>>>(deviceIn, inPitch, deviceOut, outPitch, width, height);
  cudaMemcpy2D(out.data(), height * sizeof(short), deviceOut, outPitch, height * sizeof(short), width, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) wrong += out[column * height + row] != in[row * width + column];
  std::printf("wrong: %d\n", wrong);
  std::printf("pitch below width: %s\n", cudaGetErrorName(cudaMemcpy2D(deviceIn, 8, in.data(), 16, 16, 2, cudaMemcpyHostToDevice)));

  // A block of 4 x 3 x 2 bytes out of the middle of a box of 8 x 5 x 4.
  cudaPitchedPtr box;
  cudaMalloc3D(&box, make_cudaExtent(8, 5, 4));
  cudaMemset3D(box, 7, make_cudaExtent(8, 5, 4));
  unsigned char part[24];
  for (int index = 0; index < 24; ++index) part[index] = 100 + index;
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = make_cudaPitchedPtr(part, 4, 4, 3);
  parameters.dstPtr = box;
  parameters.dstPos = make_cudaPos(2, 1, 1);
  parameters.extent = make_cudaExtent(4, 3, 2);
  parameters.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&parameters);
  unsigned char slice[5][8];
  cudaMemcpy2D(slice, 8, static_cast<char *>(box.ptr) + 2 * 5 * box.pitch, box.pitch, 8, 5, cudaMemcpyDeviceToHost);
  for (auto &row : slice) {
    for (unsigned char byte : row) std::printf("%4d", byte);
    std::printf("\n");
  }
  return wrong;
}
