#include <cuda_runtime.h>
#include <float.h>
// one warp per (sequence, head)
__global__ void paged_decode(const float* __restrict__ q, const float* __restrict__ kcache, const float* __restrict__ vcache,
                             const int* __restrict__ block_tables, const int* __restrict__ ctx_lens, float* __restrict__ out,
                             int heads, int hdim, int page_size, int max_pages, float scale) {
  int b = blockIdx.x / heads, h = blockIdx.x % heads, lane = threadIdx.x;
  const float* qr = q + (b * heads + h) * hdim;
  int len = ctx_lens[b];
  float m = -FLT_MAX, l = 0.f;
  float acc[4] = {0.f, 0.f, 0.f, 0.f};
  for (int t = 0; t < len; ++t) {
    int page = block_tables[b * max_pages + t / page_size];
    const float* kr = kcache + ((size_t)(page * page_size + t % page_size) * heads + h) * hdim;
    const float* vr = vcache + ((size_t)(page * page_size + t % page_size) * heads + h) * hdim;
    float d = 0.f;
    for (int i = lane; i < hdim; i += 32) d += qr[i] * kr[i];
    for (int o = 16; o > 0; o >>= 1) d += __shfl_xor_sync(0xffffffff, d, o);
    d *= scale;
    float nm = fmaxf(m, d), c = __expf(m - nm), p = __expf(d - nm);
    l = l * c + p;
    for (int j = 0, i = lane; i < hdim && j < 4; i += 32, ++j) acc[j] = acc[j] * c + p * vr[i];
    m = nm;
  }
  for (int j = 0, i = lane; i < hdim && j < 4; i += 32, ++j) out[(b * heads + h) * hdim + i] = acc[j] / l;
}
void run_paged_decode(const float* q, const float* kcache, const float* vcache, const int* block_tables, const int* ctx_lens, float* out,
                      int batch, int heads, int hdim, int page_size, int max_pages, float scale, cudaStream_t stream) {
  paged_decode<<<batch * heads, 32, 0, stream>>>(q, kcache, vcache, block_tables, ctx_lens, out, heads, hdim, page_size, max_pages, scale);
}
