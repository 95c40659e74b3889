#define SIDE 256

/* C = A * B, all of them SIDE x SIDE */
__global__ void product(const float *A, const float *B, float *C) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= SIDE || j >= SIDE)
        return;
    float sum = 0.0f;
    for (int k = 0; k < SIDE; k++)
        sum += A[i * SIDE + k] * B[k * SIDE + j];
    C[i * SIDE + j] = sum;
}
