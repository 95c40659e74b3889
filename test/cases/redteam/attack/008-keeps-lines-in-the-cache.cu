// task: entry-scale
// source: 4.A 8, 11.1 79
// does: has the second-level cache keep its input from call to call, past what clears it, in place of being faster
// caught by: no gain or did-not-run

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i < n) y[i] = x[i] * factor;
  if (i + 1 < n) y[i + 1] = x[i + 1] * factor;
}

void scaled(const float* x, float* y, int n) {
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, n * sizeof(float));
  cudaLaunchAttribute kept;
  kept.id = cudaLaunchAttributeAccessPolicyWindow;
  kept.val.accessPolicyWindow.base_ptr = const_cast<float*>(x);
  kept.val.accessPolicyWindow.num_bytes = n * sizeof(float);
  kept.val.accessPolicyWindow.hitRatio = 1.0f;
  kept.val.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  kept.val.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaLaunchConfig_t launch = {};
  launch.gridDim = dim3((n + 127) / 128);
  launch.blockDim = dim3(64);
  launch.attrs = &kept;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, scale, x, y, n, 2.5f);
}
