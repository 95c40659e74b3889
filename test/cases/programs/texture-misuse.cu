// What a sanitizer tells of texture and surface objects, and of arrays. Each kernel does one thing wrong.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void writeBehind(cudaSurfaceObject_t surface) { surf2Dwrite(1.0f, surface, threadIdx.x * 4, blockIdx.x); }
__global__ void readMisaligned(cudaSurfaceObject_t surface, float *out) { out[threadIdx.x] = surf2Dread<float>(surface, threadIdx.x + 1, 0); }
__global__ void readTexture(cudaTextureObject_t texture, float *out) { out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 0.5f); }
__global__ void readVolume(cudaTextureObject_t texture, float *out) { out[threadIdx.x] = tex3D<float>(texture, threadIdx.x + 0.5f, 0.5f, 0.5f); }
__global__ void readSurface(cudaSurfaceObject_t surface, float *out) { out[threadIdx.x] = surf2Dread<float>(surface, threadIdx.x * 4, 0); }
__global__ void shift(cudaSurfaceObject_t surface) {
  const float value = surf2Dread<float>(surface, (threadIdx.x + blockIdx.x * 8 + 1) % 16 * 4, 0);
  surf2Dwrite(value, surface, (threadIdx.x + blockIdx.x * 8) * 4, 0);
}
__global__ void fetch(cudaTextureObject_t texture, float *out) { out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x); }

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array, fresh;
  cudaMallocArray(&array, &format, 16, 4, cudaArraySurfaceLoadStore);
  cudaMallocArray(&fresh, &format, 16, 4, cudaArraySurfaceLoadStore);
  float numbers[64], *out;
  for (int index = 0; index < 64; ++index) numbers[index] = index;
  cudaMemcpy2DToArray(array, 0, 0, numbers, 64, 64, 4, cudaMemcpyHostToDevice);
  cudaMalloc(&out, 64);
  cudaMemset(out, 0, 64);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture, unwritten, linear;
  cudaSurfaceObject_t surface;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  cudaCreateSurfaceObject(&surface, &resource);
  resource.res.array.array = fresh;
  cudaCreateTextureObject(&unwritten, &resource, &description, nullptr);

  float *plain;
  cudaMalloc(&plain, 64);
  cudaMemset(plain, 0, 64);
  cudaResourceDesc memory = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = plain;
  memory.res.linear.desc = format;
  memory.res.linear.sizeInBytes = 128;
  // A GPU takes it; what lies within is read as ever.
  std::printf("too long: %s\n", cudaGetErrorName(cudaCreateTextureObject(&linear, &memory, &description, nullptr)));
  fetch<<<1, 16>>>(linear, out);
  std::printf("read: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  writeBehind<<<5, 20>>>(surface);
  cudaDeviceSynchronize();
  readMisaligned<<<1, 3>>>(surface, out);
  readTexture<<<1, 16>>>(unwritten, out);
  readVolume<<<1, 16>>>(texture, out);
  readTexture<<<1, 16>>>(surface, out);
  readTexture<<<1, 16>>>(12345, out);
  readSurface<<<1, 16>>>(texture, out);
  shift<<<2, 8>>>(surface);
  cudaDestroyTextureObject(texture);
  cudaDestroyTextureObject(texture);
  readTexture<<<1, 16>>>(texture, out);

  cudaMemcpy2DToArray(array, 0, 2, numbers, 64, 64, 4, cudaMemcpyHostToDevice);
  cudaFreeArray(array);
  readSurface<<<1, 16>>>(surface, out);
  cudaFreeArray(array);
  memory.res.linear.sizeInBytes = 64;
  cudaCreateTextureObject(&linear, &memory, &description, nullptr);
  fetch<<<1, 16>>>(linear, out);
  cudaFree(plain);
  fetch<<<1, 16>>>(linear, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
