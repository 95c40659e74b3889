// Cube maps: which texel of which face a direction hits, filters, and what is refused.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kWidth = 4;

/** Each face's texels as the host reads them back, by directions through their middles. */
__global__ void look(cudaTextureObject_t texture, float *found) {
  const int x = threadIdx.x, y = threadIdx.y, face = threadIdx.z;
  const float u = (x + 0.5f) / kWidth * 2 - 1, v = (y + 0.5f) / kWidth * 2 - 1;
  const float3 directions[] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}};
  const float3 to = directions[face];
  found[(face * kWidth + y) * kWidth + x] = texCubemap<float>(texture, 3 * to.x, 3 * to.y, 3 * to.z);
}

__global__ void between(cudaTextureObject_t texture, float *found) {
  // Between two texels of the face to the right, and at the level 0 of the one below.
  found[0] = texCubemap<float>(texture, 1.0f, 0.25f, 0.0f);
  found[1] = texCubemapLod<float>(texture, 0.25f, -1.0f, 0.25f, 0.0f);
  found[2] = texCubemap<float>(texture, 0.0f, 0.0f, -2.0f);
}

static cudaError_t made(cudaTextureObject_t *texture, cudaArray_t array, cudaTextureFilterMode filter, bool isNormalized) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc settings = {};
  settings.filterMode = filter;
  settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
  settings.normalizedCoords = isNormalized;
  return cudaCreateTextureObject(texture, &resource, &settings, nullptr);
}

int main() {
  std::vector<float> texels;
  for (int face = 0; face < 6; ++face)
    for (int place = 0; place < kWidth * kWidth; ++place) texels.push_back(float(face * 100 + place / kWidth * 10 + place % kWidth));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array, flat;
  printf("not square: %s\n", cudaGetErrorName(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 5, 6), cudaArrayCubemap)));
  printf("layers: %s\n", cudaGetErrorName(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered)));
  printf("array: %s\n", cudaGetErrorName(cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, kWidth, 6), cudaArrayCubemap)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), kWidth * sizeof(float), kWidth, kWidth);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(kWidth, kWidth, 6);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaTextureObject_t nearest, linear, wrong;
  printf("textures: %s", cudaGetErrorName(made(&nearest, array, cudaFilterModePoint, true)));
  printf(" %s", cudaGetErrorName(made(&linear, array, cudaFilterModeLinear, true)));
  printf(" %s\n", cudaGetErrorName(made(&wrong, array, cudaFilterModePoint, false)));
  float *found;
  cudaMallocManaged(&found, texels.size() * sizeof(float));
  for (const cudaTextureObject_t texture : {nearest, linear}) {
    look<<<1, dim3(kWidth, kWidth, 6)>>>(texture, found);
    cudaDeviceSynchronize();
    printf("faces: %s\n", memcmp(found, texels.data(), texels.size() * sizeof(float)) == 0 ? "right" : "WRONG");
  }
  for (const cudaTextureObject_t texture : {nearest, linear}) {
    between<<<1, 1>>>(texture, found);
    cudaDeviceSynchronize();
    printf("between: %g %g %g\n", found[0], found[1], found[2]);
  }
  cudaMallocArray(&flat, &format, kWidth, kWidth, 0);
  cudaTextureObject_t plane;
  made(&plane, flat, cudaFilterModePoint, true);
  look<<<1, 1>>>(plane, found);
  printf("a plane as a cube: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
