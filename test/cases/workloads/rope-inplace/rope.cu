#include <cuda_runtime.h>
#include <math.h>

// q: [batch, seq, heads, head_dim], rotated in place; pairs are (i, i + head_dim / 2)
__global__ void apply_rope(float* q, const int* pos, int seq, int heads, int head_dim, float theta)
{
    const int half = head_dim / 2;
    const int i = threadIdx.x;
    const int h = blockIdx.x * blockDim.y + threadIdx.y;
    const int s = blockIdx.y;
    const int b = blockIdx.z;
    if (i >= half || h >= heads) return;

    float* v = q + (((size_t)b * seq + s) * heads + h) * head_dim;
    const float freq = powf(theta, -2.0f * i / head_dim);
    float sn, cs;
    sincosf(pos[b * seq + s] * freq, &sn, &cs);
    const float a = v[i], c = v[i + half];
    v[i]        = a * cs - c * sn;
    v[i + half] = a * sn + c * cs;
}

int rope_forward(float* q, const int* pos, int batch, int seq, int heads, int head_dim, float theta)
{
    if (head_dim % 2 != 0 || head_dim > 512) return -1;
    dim3 block, grid;
    block.x = head_dim / 2;
    block.y = 256 / block.x > 0 ? 256 / block.x : 1;
    grid.x = (heads + block.y - 1) / block.y;
    grid.y = seq;
    grid.z = batch;
    apply_rope<<<grid, block>>>(q, pos, seq, heads, head_dim, theta);
    return cudaGetLastError() == cudaSuccess ? 0 : -2;
}
