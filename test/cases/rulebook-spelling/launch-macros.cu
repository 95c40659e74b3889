//@case {"kernel": "brighten"}
#define THREADS 128
#define CUDA_OK(call) do { if ((call) != cudaSuccess) abort(); } while (0)
#define ON(kernel, blocks, threads, shared, queue, ...)        \
  do {                                                         \
    /* an empty grid is no launch */                           \
    if ((blocks) > 0)                                          \
      (kernel)<<<(blocks), (threads), (shared), (queue)>>>(__VA_ARGS__); \
    CUDA_OK(cudaGetLastError());                               \
  } while (0)
#define FOR_EACH(kernel, count, args...) ON(kernel, ((count) + THREADS - 1) / THREADS, THREADS, 0, 0, ##args)
#define NAMED(kernel, count, ...) trace(#kernel); kernel<<<(count) / 32, 32>>>(__VA_ARGS__)
#define PASTED(kind, n, ...) brighten_##kind<<<n, 32>>>(__VA_ARGS__)
#ifdef WIDE
#define TWICE(kernel, ...) kernel<<<64, 64>>>(__VA_ARGS__)
#else
#define TWICE(kernel, ...) kernel<<<32, 32>>>(__VA_ARGS__)
#endif

template <typename T, int by>
__global__ void brighten(T* image, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) image[i] += by;
}
__global__ void brighten_all(float* image) { image[threadIdx.x] += 1; }
__global__ void reset() {}

void run(float* image, int width, int height, bool twice) {
  ON((brighten<float, 3>), (width * height + 255) / 256, 256, 0, nullptr,
     image, width * height);
  if (twice)
    FOR_EACH((brighten<float, 4>), width * height, image, width * height);
  else {
    FOR_EACH(reset, 1);
    NAMED(brighten_all, 32, image);
  }
  PASTED(all, 1, image);
  TWICE(brighten_all, image);
}
