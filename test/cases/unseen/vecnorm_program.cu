#include <stdio.h>
#include <math.h>
#define N 65536
__global__ void sumsq(const float* v, float* result, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(result, v[i] * v[i]);
}
int main(void)
{
    static float h[N];
    float *d, *r, out = 0.0f;
    for (int i = 0; i < N; i++) h[i] = (float)((i * 37) % 101) / 101.0f;
    cudaMalloc(&d, N * sizeof(float));
    cudaMalloc(&r, sizeof(float));
    cudaMemcpy(d, h, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(r, &out, sizeof(float), cudaMemcpyHostToDevice);
    sumsq<<<(N + 255) / 256, 256>>>(d, r, N);
    cudaMemcpy(&out, r, sizeof(float), cudaMemcpyDeviceToHost);
    printf("norm %f\n", sqrtf(out));
    return 0;
}
