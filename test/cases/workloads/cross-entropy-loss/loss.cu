#include <cuda_runtime.h>

// Mean cross entropy of a batch. One warp per sample; labels of -100 are ignored.
__global__ void xent_forward(const float *logits, const int *labels, float *losses, int N, int C)
{
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  if (warp >= N)
    return;
  int label = labels[warp];
  if (label == -100) {
    if (lane == 0)
      losses[warp] = 0.0f;
    return;
  }
  const float *row = logits + (size_t)warp * C;
  float mx = -3.4e38f;
  for (int c = lane; c < C; c += 32)
    mx = max(mx, row[c]);
  for (int o = 16; o; o >>= 1)
    mx = max(mx, __shfl_xor_sync(0xffffffff, mx, o));
  float z = 0.0f;
  for (int c = lane; c < C; c += 32)
    z += exp(row[c] - mx);
  for (int o = 16; o; o >>= 1)
    z += __shfl_xor_sync(0xffffffff, z, o);
  if (lane == 0)
    losses[warp] = log(z) + mx - row[label];
}

__global__ void xent_backward(const float *logits, const int *labels, const float *losses, float *grad, int N, int C)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N * C)
    return;
  int n = i / C, c = i % C, label = labels[n];
  if (label == -100) {
    grad[i] = 0.0f;
    return;
  }
  // log-sum-exp is the loss plus the logit of the label
  float lse = losses[n] + logits[(size_t)n * C + label];
  grad[i] = (exp(logits[i] - lse) - (c == label ? 1.0f : 0.0f)) / N;
}

void cross_entropy(const float *logits, const int *labels, float *losses, float *grad, int N, int C)
{
  int block = 256;
  xent_forward<<<(N * 32 + block - 1) / block, block>>>(logits, labels, losses, N, C);
  if (grad != nullptr)
    xent_backward<<<(N * C + block - 1) / block, block>>>(logits, labels, losses, grad, N, C);
}
