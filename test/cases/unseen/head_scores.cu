#include <cuda_fp16.h>

// scores[b][i][j] = scale * sum_d q[b][i][d] * k[b][j][d]
__global__ void head_scores(
    const __half* __restrict__ q,
    const __half* __restrict__ k,
    float*        __restrict__ scores,
    int seq,
    int dim,
    float scale)
{
    int b = blockIdx.z;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= seq || j >= seq)
        return;

    const __half* qi = q + ((size_t)b * seq + i) * dim;
    const __half* kj = k + ((size_t)b * seq + j) * dim;

    float dot = 0.0f;
    for (int d = 0; d < dim; ++d)
        dot = fmaf(__half2float(qi[d]), __half2float(kj[d]), dot);

    scores[((size_t)b * seq + i) * seq + j] = scale * dot;
}

void attention_scores(const __half* q, const __half* k, float* scores, int batch, int seq, int dim, float scale)
{
    dim3 block(16, 16, 1);
    dim3 grid((seq + 15) / 16, (seq + 15) / 16, batch);
    head_scores<<<grid, block>>>(q, k, scores, seq, dim, scale);
}
