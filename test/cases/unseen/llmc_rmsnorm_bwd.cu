/*
Backward pass of rmsnorm, gradient of the input only.

version 1 is a port of the CPU code: parallelizes over B,T, loops over C
*/
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

// inp, dinp, dout are (B,T,C), weight is (C), rstd is (B,T)
__global__ void rmsnorm_backward_kernel1(float* dinp, const float* dout, const float* inp,
                                         const float* weight, const float* rstd,
                                         int N, int C) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) {
        const float* dout_bt = dout + idx * C;
        const float* inp_bt = inp + idx * C;
        float* dinp_bt = dinp + idx * C;
        const float rstd_bt = rstd[idx];

        // reduce: mean of dnorm * norm
        float dnorm_norm_mean = 0.0f;
        for (int i = 0; i < C; i++) {
            float norm_bti = inp_bt[i] * rstd_bt;
            float dnorm_i = weight[i] * dout_bt[i];
            dnorm_norm_mean += dnorm_i * norm_bti;
        }
        dnorm_norm_mean = dnorm_norm_mean / C;

        // accumulate the gradient
        for (int i = 0; i < C; i++) {
            float norm_bti = inp_bt[i] * rstd_bt;
            float dnorm_i = weight[i] * dout_bt[i];
            dinp_bt[i] += (dnorm_i - norm_bti * dnorm_norm_mean) * rstd_bt;
        }
    }
}

void rmsnorm_backward(float* dinp, const float* dout, const float* inp, const float* weight, const float* rstd,
                      int B, int T, int C) {
    const int block_size = 64;
    const int N = B * T;
    const int grid_size = CEIL_DIV(N, block_size);
    rmsnorm_backward_kernel1<<<grid_size, block_size>>>(dinp, dout, inp, weight, rstd, N, C);
}
