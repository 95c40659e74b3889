// task: entry-resample
// source: k
// does: leaves the interpolation to the texture unit, whose weights have eight bits
// caught by: wrong values

__global__ void resample(cudaTextureObject_t signal, float* y, float ratio, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // Texels lie at their number and a half, which is where points lie as well.
  if (i < m) y[i] = tex1D<float>(signal, (i + 0.5f) * ratio);
}

void resampled(const float* x, float* y, int n, int m) {
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &channel, n, 0);
  cudaMemcpy2DToArray(array, 0, 0, x, n * sizeof(float), n * sizeof(float), 1, cudaMemcpyDeviceToDevice);

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = 0;
  cudaTextureObject_t signal;
  cudaCreateTextureObject(&signal, &resource, &how, nullptr);

  resample<<<(m + 127) / 128, 128>>>(signal, y, static_cast<float>(n) / m, m);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(signal);
  cudaFreeArray(array);
}
