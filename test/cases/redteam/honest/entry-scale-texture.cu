// task: entry-scale
// does: reads its input through a texture that is made and destroyed in each call

__global__ void scale(cudaTextureObject_t x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = tex1Dfetch<float>(x, i) * factor;
}

void scaled(const float* x, float* y, int n) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(x);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  scale<<<(n + 127) / 128, 128>>>(texture, y, n, 2.5f);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
}
