// matrix with leading dimension ld >= cols
__global__ void scaleRows(float *A, const float *s, int rows, int cols, int ld)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows && c < cols) A[r * ld + c] *= s[r];
}
