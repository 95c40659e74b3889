// one thread walks one row
__global__ void addBias(float *mat, const float *bias, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        for (int c = 0; c < cols; c++) {
            float z = mat[r * cols + c] + bias[c];
            mat[r * cols + c] = z > 0.f ? z : 0.f;
        }
    }
}
void bias_relu(float *mat, const float *bias, int rows, int cols)
{
    addBias<<<(rows + 63) / 64, 64>>>(mat, bias, rows, cols);
}
