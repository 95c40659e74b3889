#include <assert.h>
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

// dweight = dout^T inp: (OC, C) from dout of (B*T, OC) and inp of (B*T, C)
__global__ void matmul_dweight_kernel1(float* dweight, const float* dout, const float* inp,
                                       int BT, int C, int OC) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int oc = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < C && oc < OC) {
        float val = 0.0f;
        for (int bt = 0; bt < BT; bt++) {
            val += dout[bt * OC + oc] * inp[bt * C + c];
        }
        dweight[oc * C + c] = val;
    }
}

void matmul_dweight1(float* dweight, const float* dout, const float* inp, int BT, int C, int OC,
                     const int sqrt_block_size) {
    dim3 gridDim(CEIL_DIV(C, sqrt_block_size), CEIL_DIV(OC, sqrt_block_size));
    dim3 blockDim(sqrt_block_size, sqrt_block_size);
    matmul_dweight_kernel1<<<gridDim, blockDim>>>(dweight, dout, inp, BT, C, OC);
}
