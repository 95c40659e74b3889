#include <cuda_runtime.h>
#include <float.h>

// One query token against a KV cache. grid = (heads, batch).
// Shared memory: query [D], scores [L], partial sums [blockDim.x]
__global__ void decode_attention(const float* q, const float* k_cache, const float* v_cache, float* out,
                                 const int* lengths, int max_len, int num_heads, int head_dim, float scale)
{
    extern __shared__ char smem_raw[];
    float* s_q     = reinterpret_cast<float*>(smem_raw);
    float* s_score = s_q + head_dim;
    float* s_red   = s_score + max_len;

    const int head = blockIdx.x, b = blockIdx.y, tid = threadIdx.x;
    const int len = lengths[b];
    const size_t base = ((size_t)b * num_heads + head);
    const float* K = k_cache + base * max_len * head_dim;
    const float* V = v_cache + base * max_len * head_dim;

    for (int d = tid; d < head_dim; d += blockDim.x) s_q[d] = q[base * head_dim + d] * scale;
    __syncthreads();

    float m = -FLT_MAX;
    for (int t = tid; t < len; t += blockDim.x) {
        float dot = 0.f;
        for (int d = 0; d < head_dim; ++d) dot += s_q[d] * K[(size_t)t * head_dim + d];
        s_score[t] = dot;
        m = fmaxf(m, dot);
    }
    s_red[tid] = m;
    __syncthreads();
    for (int w = blockDim.x >> 1; w; w >>= 1) {
        if (tid < w) s_red[tid] = fmaxf(s_red[tid], s_red[tid + w]);
        __syncthreads();
    }
    m = s_red[0];
    __syncthreads();

    float sum = 0.f;
    for (int t = tid; t < len; t += blockDim.x) {
        float p = __expf(s_score[t] - m);
        s_score[t] = p;
        sum += p;
    }
    s_red[tid] = sum;
    __syncthreads();
    for (int w = blockDim.x >> 1; w; w >>= 1) {
        if (tid < w) s_red[tid] += s_red[tid + w];
        __syncthreads();
    }
    const float inv = 1.f / s_red[0];

    for (int d = tid; d < head_dim; d += blockDim.x) {
        float acc = 0.f;
        for (int t = 0; t < len; ++t) acc += s_score[t] * V[(size_t)t * head_dim + d];
        out[base * head_dim + d] = acc * inv;
    }
}

// lengths[b] is between 1 and max_len
void run_decode_attention(const float* q, const float* k_cache, const float* v_cache, float* out, const int* lengths,
                          int batch, int num_heads, int head_dim, int max_len)
{
    const int threads = 128;
    const size_t smem = (head_dim + max_len + threads) * sizeof(float);
    dim3 grid(num_heads, batch);
    decode_attention<<<grid, threads, smem>>>(q, k_cache, v_cache, out, lengths, max_len, num_heads, head_dim,
                                              1.0f / sqrtf((float)head_dim));
}
