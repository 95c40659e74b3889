// Texture references as CUDA 11 had them, bound to linear memory, to rows and to an array, and shuffles and votes
// without a mask.
#include <cstdio>

texture<float, 1, cudaReadModeElementType> line;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;
static texture<float, 2> field;

__global__ void fetch(float *to, int count) {
  const int at = threadIdx.x;
  if (at >= count) return;
  to[at] = tex1Dfetch(line, at) + tex1Dfetch(line, count - 1 - at);
  to[count + at] = tex2D(colours, at % 4 + 0.5f, at / 4 + 0.5f).y;
  // Halfway between two elements, and beyond the edge.
  to[2 * count + at] = tex2D(field, at + 1.0f, 0.5f);
}

/** 24 lanes of a warp are left. */
__global__ void tell(int *to) {
  const int lane = threadIdx.x;
  if (lane >= 24) return;
  int sum = lane;
  for (int step = 4; step > 0; step /= 2) sum += __shfl_xor(sum, step, 8);
  const int ninth = __shfl(sum, 9), next = __shfl_down(lane, 1), last = __shfl_up(lane, 2);
  const int votes = static_cast<int>(__ballot(lane % 8 == 0)) + (__all(lane < 24) && !__any(lane == 24));
  if (lane != 5) return;
  to[0] = ninth + 1000 * next + 10000 * last;
  to[1] = votes;
}

int main() {
  constexpr int count = 8;
  float numbers[count], *linear, *results, got[3 * count];
  uchar4 pixels[count], *rows;
  for (int at = 0; at < count; ++at) {
    numbers[at] = float(at * at);
    pixels[at] = make_uchar4(0, static_cast<unsigned char>(51 * (at % 6)), 7, 9);
  }
  size_t pitch, offset = 1;
  cudaMalloc(&linear, sizeof numbers);
  cudaMalloc(&results, sizeof got);
  cudaMallocPitch(&rows, &pitch, 4 * sizeof(uchar4), 2);
  cudaMemcpy(linear, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaMemcpy2D(rows, pitch, pixels, 4 * sizeof(uchar4), 4 * sizeof(uchar4), 2, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, count, 1);
  cudaMemcpy2DToArray(array, 0, 0, numbers, sizeof numbers, sizeof numbers, 1, cudaMemcpyHostToDevice);

  field.filterMode = cudaFilterModeLinear;
  field.addressMode[0] = cudaAddressModeClamp;
  printf("bound: %s", cudaGetErrorName(cudaBindTexture(&offset, line, linear, sizeof numbers)));
  printf(", %s", cudaGetErrorName(cudaBindTexture2D(nullptr, colours, rows, 4, 2, pitch)));
  printf(", %s, offset %zu\n", cudaGetErrorName(cudaBindTextureToArray(field, array, format)), offset);
  fetch<<<1, 32>>>(results, count);
  cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
  for (int row = 0; row < 3; ++row) {
    for (int at = 0; at < count; ++at) printf("%g ", got[row * count + at]);
    printf("\n");
  }
  // Bound anew, to what the kernel has written.
  cudaThreadSynchronize();
  cudaBindTexture(nullptr, &line, results, &format, count * sizeof(float));
  fetch<<<1, 32>>>(results, 1);
  cudaMemcpy(got, results, sizeof(float), cudaMemcpyDeviceToHost);
  printf("again: %g, %s\n", got[0], cudaGetErrorName(cudaUnbindTexture(line)));
  // All of an allocation, whose size the call leaves out.
  const cudaError_t whole = cudaBindTexture(nullptr, line, linear);
  fetch<<<1, 32>>>(results, count);
  cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
  printf("whole: %s, %g\n", cudaGetErrorName(whole), got[count - 1]);
  int told[2];
  tell<<<1, 32>>>(reinterpret_cast<int *>(results));
  cudaMemcpy(told, results, sizeof told, cudaMemcpyDeviceToHost);
  printf("lanes: %d, votes: %#x\n", told[0], told[1]);
}
