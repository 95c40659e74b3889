#include <cuda_runtime.h>
#include <assert.h>

// one block per (b,t): mean, then rstd, then the normalized row
__global__ void layernorm_rows_kernel(float* __restrict__ out, const float* __restrict__ inp, const float* __restrict__ weight,
                                      const float* __restrict__ bias, int C) {
    __shared__ float shared[256];
    __shared__ float s_mean;
    __shared__ float s_rstd;
    int idx = blockIdx.x;
    int tid = threadIdx.x;
    const float* x = inp + idx * C;
    float sum = 0.0f;
    for (int i = tid; i < C; i += blockDim.x) {
        sum += x[i];
    }
    shared[tid] = sum;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        if (tid < stride) {
            shared[tid] += shared[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) s_mean = shared[0] / C;
    __syncthreads();
    float m = s_mean;
    sum = 0.0f;
    for (int i = tid; i < C; i += blockDim.x) {
        float diff = x[i] - m;
        sum += diff * diff;
    }
    shared[tid] = sum;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        if (tid < stride) {
            shared[tid] += shared[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) s_rstd = rsqrtf(shared[0] / C + 1e-5f);
    __syncthreads();
    float rstd = s_rstd;
    float* o = out + idx * C;
    for (int i = tid; i < C; i += blockDim.x) {
        float n = rstd * (x[i] - m);
        o[i] = n * weight[i] + bias[i];
    }
}

void layernorm_forward(float* out, const float* inp, const float* weight, const float* bias, int B, int T, int C) {
    const int block_size = 256;
    const int N = B * T;
    layernorm_rows_kernel<<<N, block_size>>>(out, inp, weight, bias, C);
}
