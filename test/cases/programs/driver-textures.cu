// Arrays, textures and surfaces that are made with the driver API.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

constexpr int width = 8;
constexpr int height = 4;

__global__ void read(cudaTextureObject_t texture, float *out) {
  out[threadIdx.y * width + threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

__global__ void twice(cudaSurfaceObject_t surface) {
  const float value = surf2Dread<float>(surface, threadIdx.x * 4, threadIdx.y);
  surf2Dwrite(2 * value, surface, threadIdx.x * 4, threadIdx.y);
}

__global__ void fetch(cudaTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

void say(const char *what, CUresult result) { printf("%s: %d\n", what, result); }

int main() {
  CUdevice device = -1;
  say("device before the runtime's first call", cuCtxGetDevice(&device));
  cudaSetDevice(0);
  say("device behind it", cuCtxGetDevice(&device));
  float host[width * height];
  for (int i = 0; i < width * height; ++i) host[i] = i;
  CUDA_ARRAY3D_DESCRIPTOR wanted = {width, height, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CUarray array;
  say("array", cuArray3DCreate(&array, &wanted));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = width * sizeof(float);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = width * sizeof(float);
  copy.Height = height;
  say("to the array", cuMemcpy2D(&copy));

  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface;
  say("surface", cuSurfObjectCreate(&surface, &resource));
  twice<<<1, dim3(width, height)>>>(surface);
  CUDA_TEXTURE_DESC sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject texture;
  say("texture", cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  float *out;
  cudaMalloc(&out, sizeof host);
  read<<<1, dim3(width, height)>>>(texture, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("last %g\n", host[width * height - 1]);

  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = 4;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = reinterpret_cast<CUdeviceptr>(out);
  copy.WidthInBytes = 2 * sizeof(float);
  copy.Height = 2;
  say("from the array", cuMemcpy2D(&copy));
  cudaMemcpy(host, out, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);

  // Bytes are read as floats unless a flag keeps them.
  unsigned char bytes[4] = {0, 51, 102, 255};
  cudaMemcpy(out, bytes, sizeof bytes, cudaMemcpyHostToDevice);
  float *read = nullptr;
  cudaMalloc(&read, sizeof host);
  resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = reinterpret_cast<CUdeviceptr>(out);
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = sizeof bytes;
  sampling = {};
  CUtexObject linear;
  say("linear", cuTexObjectCreate(&linear, &resource, &sampling, nullptr));
  fetch<<<1, 4>>>(linear, read);
  cudaMemcpy(host, read, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.2f %.2f %.2f %.2f\n", host[0], host[1], host[2], host[3]);
  say("no format", cuArrayCreate(&array, nullptr));
  say("destroy", cuTexObjectDestroy(texture));
  say("destroy", cuTexObjectDestroy(linear));
  say("destroy", cuSurfObjectDestroy(surface));
  cudaFree(out);
  cudaFree(read);
  return 0;
}
