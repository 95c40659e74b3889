#include <cuda_bf16.h>
#define DIVUP(m, n) (((m) + (n) - 1) / (n))
typedef __nv_bfloat16 bf16;

__global__ void softmax_fwd(bf16* out, const bf16* inp, int N, int C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        const bf16* inp_row = inp + i * C;
        bf16* out_row = out + i * C;
        float maxval = -INFINITY;
        for (int j = 0; j < C; j++) {
            if (__bfloat162float(inp_row[j]) > maxval) {
                maxval = __bfloat162float(inp_row[j]);
            }
        }
        float sum = 0.0f;
        for (int j = 0; j < C; j++) {
            sum += expf(__bfloat162float(inp_row[j]) - maxval);
        }
        float norm = 1.f / sum;
        for (int j = 0; j < C; j++) {
            out_row[j] = __float2bfloat16(expf(__bfloat162float(inp_row[j]) - maxval) * norm);
        }
    }
}

void softmax(bf16* out, const bf16* inp, int N, int C, int block_size) {
    softmax_fwd<<<DIVUP(N, block_size), block_size>>>(out, inp, N, C);
}

void run(bf16* out, const bf16* inp, int N, int C) { softmax(out, inp, N, C, 128); }
