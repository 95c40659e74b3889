// Writes and reads CUDA arrays through surface objects, and copies arrays in every direction.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kWidth = 19, kHeight = 11, kDepth = 3;

template <typename Texel> __device__ Texel texelAt(int x, int y, int z) {
  Texel made;
  for (unsigned index = 0; index < sizeof(Texel); ++index) reinterpret_cast<unsigned char *>(&made)[index] = x * 7 + y * 5 + z * 3 + index;
  return made;
}

/** Writes every texel, reads its mirror image back with a step beyond the edge, and keeps what it read. */
template <typename Texel, int kind> __global__ void writeAndRead(cudaSurfaceObject_t surface, Texel *out, bool write) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  const int column = x * static_cast<int>(sizeof(Texel)), beyond = column + static_cast<int>(sizeof(Texel));
  if (write) {
    const Texel made = texelAt<Texel>(x, y, z);
    if constexpr (kind == 1) surf1Dwrite(made, surface, column);
    if constexpr (kind == 2) surf2Dwrite(made, surface, column, y);
    if constexpr (kind == 3) surf3Dwrite(made, surface, column, y, z);
    if constexpr (kind == 4) surf1DLayeredwrite(made, surface, column, z);
    if constexpr (kind == 5) surf2DLayeredwrite(made, surface, column, y, z);
    return;
  }
  Texel &to = out[(z * gridDim.x + y) * kWidth + x];
  if constexpr (kind == 1) to = surf1Dread<Texel>(surface, beyond, cudaBoundaryModeClamp);
  if constexpr (kind == 2) to = surf2Dread<Texel>(surface, beyond, y + 1, cudaBoundaryModeZero);
  if constexpr (kind == 3) to = surf3Dread<Texel>(surface, beyond, y + 1, z + 1, cudaBoundaryModeClamp);
  if constexpr (kind == 4) to = surf1DLayeredread<Texel>(surface, beyond, z, cudaBoundaryModeZero);
  if constexpr (kind == 5) to = surf2DLayeredread<Texel>(surface, column, y, z);
}

template <typename Texel> Texel hostTexel(int x, int y, int z) {
  Texel made;
  for (unsigned index = 0; index < sizeof(Texel); ++index) reinterpret_cast<unsigned char *>(&made)[index] = x * 7 + y * 5 + z * 3 + index;
  return made;
}

int failures = 0;

template <typename Texel, int kind> void useSurface(const char *what) {
  constexpr bool hasRows = kind == 2 || kind == 3 || kind == 5, hasSlices = kind >= 3, clamps = kind == 1 || kind == 3;
  const int rows = hasRows ? kHeight : 1, slices = hasSlices ? kDepth : 1;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<Texel>();
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, hasRows ? kHeight : 0, hasSlices ? kDepth : 0), cudaArraySurfaceLoadStore | (kind >= 4 ? cudaArrayLayered : 0));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  Texel *out;
  const size_t bytes = sizeof(Texel) * kWidth * rows * slices;
  cudaMalloc(&out, bytes);
  writeAndRead<Texel, kind><<<dim3(rows, slices), kWidth>>>(surface, out, true);
  writeAndRead<Texel, kind><<<dim3(rows, slices), kWidth>>>(surface, out, false);
  std::vector<Texel> got(kWidth * rows * slices), direct(kWidth * rows * slices);
  cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(direct.data(), kWidth * sizeof(Texel), kWidth, rows);
  copy.extent = make_cudaExtent(kWidth, rows, slices);
  copy.kind = cudaMemcpyDeviceToHost;
  const cudaError_t copied = cudaMemcpy3D(&copy);
  int wrong = 0;
  for (int z = 0; z < slices; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const size_t at = (z * rows + y) * kWidth + x;
        int u = kind == 5 ? x : x + 1, v = kind == 2 || kind == 3 ? y + 1 : y, w = kind == 3 ? z + 1 : z;
        const bool outside = u >= kWidth || v >= rows || w >= slices;
        if (clamps) u = u < kWidth ? u : kWidth - 1, v = v < rows ? v : rows - 1, w = w < slices ? w : slices - 1;
        const Texel wanted = outside && !clamps ? Texel{} : hostTexel<Texel>(u, v, w), stored = hostTexel<Texel>(x, y, z);
        wrong += std::memcmp(&got[at], &wanted, sizeof wanted) != 0 || std::memcmp(&direct[at], &stored, sizeof stored) != 0;
      }
  failures += wrong;
  std::printf("%s: %d wrong, %s, %s\n", what, wrong, cudaGetErrorName(copied), cudaGetErrorName(cudaGetLastError()));
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
  cudaFree(out);
}

void copies() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<short>();
  cudaArray_t first, second;
  cudaMallocArray(&first, &format, 16, 8);
  cudaMallocArray(&second, &format, 16, 8);
  cudaChannelFormatDesc told;
  cudaExtent extent;
  unsigned flags;
  cudaArrayGetInfo(&told, &extent, &flags, first);
  std::printf("array of %zu x %zu x %zu, %d bits, kind %d, flags %u\n", extent.width, extent.height, extent.depth, told.x, told.f, flags);
  short in[8][16], out[8][16] = {}, part[3][4] = {};
  for (int index = 0; index < 128; ++index) in[index / 16][index % 16] = index;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpy2DToArrayAsync(first, 0, 0, in, 32, 32, 8, cudaMemcpyHostToDevice, stream);
  cudaMemcpy2DArrayToArray(second, 0, 0, first, 0, 0, 32, 8);
  cudaMemcpy2DFromArrayAsync(out, 32, second, 0, 0, 32, 8, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("whole: %d\n", std::memcmp(in, out, sizeof in));
  cudaMemcpy2DFromArray(part, 8, second, 6, 2, 8, 3, cudaMemcpyDeviceToHost);
  std::printf("part: %d %d %d\n", part[0][0], part[1][3], part[2][3]);
  short *device;
  cudaMalloc(&device, 64);
  cudaMemset(device, 0xff, 64);
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(device, 8, 4, 2);
  box.dstArray = second;
  box.dstPos = make_cudaPos(3, 2, 0);
  box.extent = make_cudaExtent(4, 2, 1);
  box.kind = cudaMemcpyDeviceToDevice;
  // The same in a graph.
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpy3DAsync(&box, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaMemcpy2DFromArray(out, 32, second, 0, 0, 32, 8, cudaMemcpyDeviceToHost);
  std::printf("box: %d %d %d %d %d\n", out[2][2], out[2][3], out[3][6], out[3][7], out[4][3]);
  std::printf("%s\n", cudaGetErrorName(cudaMemcpy2DToArray(first, 2, 0, in, 32, 32, 8, cudaMemcpyHostToDevice)));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  box.extent.height = 9;
  std::printf("%s\n", cudaGetErrorName(cudaMemcpy3D(&box)));
  cudaArray_t none;
  std::printf("%s\n", cudaGetErrorName(cudaMallocArray(&none, &format, 0, 8)));
  std::printf("%s\n", cudaGetErrorName(cudaMallocArray(&none, &format, 131073, 8)));
  std::printf("%s\n", cudaGetErrorName(cudaMalloc3DArray(&none, &format, make_cudaExtent(8, 8, 2049), cudaArrayLayered)));
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("at most %d x %d\n", properties.maxTexture2D[0], properties.maxTexture2D[1]);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = first;
  cudaSurfaceObject_t surface;
  std::printf("%s\n", cudaGetErrorName(cudaCreateSurfaceObject(&surface, &resource)));
  cudaTextureDesc description = {};
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  std::printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&texture, &resource, &description, nullptr)));
  description.filterMode = cudaFilterModePoint;
  description.normalizedCoords = 1;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  cudaTextureDesc asked;
  cudaResourceDesc behind;
  cudaGetTextureObjectTextureDesc(&asked, texture);
  cudaGetTextureObjectResourceDesc(&behind, texture);
  std::printf("asked: %d %d\n", asked.normalizedCoords, behind.res.array.array == first);
  std::printf("%s\n", cudaGetErrorName(cudaDestroyTextureObject(texture)));
  std::printf("%s\n", cudaGetErrorName(cudaDestroyTextureObject(texture)));
  cudaFreeArray(second);
  std::printf("%s\n", cudaGetErrorName(cudaFreeArray(first)));
  std::printf("%s\n", cudaGetErrorName(cudaFreeArray(first)));
  cudaGetLastError();
}

int main() {
  useSurface<float, 1>("surf1D float");
  useSurface<uchar4, 2>("surf2D uchar4");
  useSurface<unsigned char, 2>("surf2D uchar");
  useSurface<float4, 2>("surf2D float4");
  useSurface<short2, 2>("surf2D short2");
  useSurface<short, 3>("surf3D short");
  useSurface<int, 4>("surf1DLayered int");
  useSurface<float2, 5>("surf2DLayered float2");
  copies();
  return failures != 0;
}
