#include <stdint.h>

/* C(int32) = A(int8) * B^T(int8); both matrices have their rows along the sum */
__global__ void qmatmul_nt(const int8_t *A, const int8_t *B, int32_t *C, int rows, int cols, int depth)
{
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    int32_t acc = 0;

    if (r >= rows || c >= cols)
        return;

    for (int d = 0; d < depth; ++d)
        acc += (int32_t)A[r * depth + d] * (int32_t)B[c * depth + d];

    C[r * cols + c] = acc;
}

void qmatmul(const int8_t *A, const int8_t *B, int32_t *C, int rows, int cols, int depth)
{
    dim3 tpb(16, 16);
    dim3 nb((cols + 15) / 16, (rows + 15) / 16);
    qmatmul_nt<<<nb, tpb>>>(A, B, C, rows, cols, depth);
}
