// Writes the new keys and values of a batch into the paged cache.
//   key, value:          [num_tokens, num_heads, head_size]
//   key_cache/val_cache: [num_blocks, num_heads, block_size, head_size]
//   slots:               [num_tokens], place of each token in the cache, negative for padding
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

template <typename cache_t>
__global__ void scatter_kv(const cache_t* __restrict__ key, const cache_t* __restrict__ value,
                           cache_t* __restrict__ key_cache, cache_t* __restrict__ value_cache,
                           const int64_t* __restrict__ slots, int64_t num_tokens, int64_t num_heads,
                           int64_t head_size, int64_t block_size)
{
  const int64_t total = num_tokens * num_heads * head_size;
  const int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t flat = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; flat < total; flat += step) {
    const int64_t d = flat % head_size;
    const int64_t head = (flat / head_size) % num_heads;
    const int64_t token = flat / (head_size * num_heads);
    const int64_t slot = slots[token];
    if (slot < 0) continue;
    const int64_t block = slot / block_size;
    const int64_t inside = slot % block_size;
    const int64_t target = ((block * num_heads + head) * block_size + inside) * head_size + d;
    key_cache[target] = key[flat];
    value_cache[target] = value[flat];
  }
}

static void scatter(const float* k, const float* v, float* kc, float* vc, const int64_t* slots, int tokens,
                    int heads, int head_size, int block_size)
{
  const int threads = 256;
  const int64_t work = (int64_t)tokens * heads * head_size;
  const int blocks = (int)((work + threads - 1) / threads);
  scatter_kv<float><<<blocks, threads>>>(k, v, kc, vc, slots, tokens, heads, head_size, block_size);
}

int main()
{
  const int tokens = 160, heads = 8, head_size = 96, block_size = 16, num_blocks = 24;
  const size_t n = (size_t)tokens * heads * head_size;
  const size_t cache = (size_t)num_blocks * heads * block_size * head_size;
  float* h = (float*)malloc(cache * sizeof(float));
  int64_t* hs = (int64_t*)malloc(tokens * sizeof(int64_t));
  for (size_t i = 0; i < n; i++) h[i] = (float)(rand() % 1000) / 500.0f - 1.0f;
  for (int t = 0; t < tokens; t++) hs[t] = t % 37 == 36 ? -1 : (int64_t)(t * 7) % (num_blocks * block_size);

  float *k, *v, *kc, *vc;
  int64_t* s;
  cudaMalloc(&k, n * sizeof(float));
  cudaMalloc(&v, n * sizeof(float));
  cudaMalloc(&kc, cache * sizeof(float));
  cudaMalloc(&vc, cache * sizeof(float));
  cudaMalloc(&s, tokens * sizeof(int64_t));
  cudaMemcpy(k, h, n * sizeof(float), cudaMemcpyHostToDevice);
  for (size_t i = 0; i < n; i++) h[i] = 0.5f * h[i] + 1.0f;
  cudaMemcpy(v, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(kc, 0, cache * sizeof(float));
  cudaMemset(vc, 0, cache * sizeof(float));
  cudaMemcpy(s, hs, tokens * sizeof(int64_t), cudaMemcpyHostToDevice);

  scatter(k, v, kc, vc, s, tokens, heads, head_size, block_size);

  cudaMemcpy(h, kc, cache * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (size_t i = 0; i < cache; i++) sum += h[i];
  printf("%.3f\n", sum);
  return 0;
}
