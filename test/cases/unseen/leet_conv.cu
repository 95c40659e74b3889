#include <cuda_runtime.h>

__global__ void conv_valid(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                           int kernel_rows, int kernel_cols) {
    int output_rows = input_rows - kernel_rows + 1;
    int output_cols = input_cols - kernel_cols + 1;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= output_rows || col >= output_cols) return;

    float acc = 0.0f;
    for (int m = 0; m < kernel_rows; m++) {
        for (int n = 0; n < kernel_cols; n++) {
            acc += input[(row + m) * input_cols + (col + n)] * kernel[m * kernel_cols + n];
        }
    }
    output[row * output_cols + col] = acc;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    dim3 threadsPerBlock(16, 16);
    dim3 blocksPerGrid((input_cols - kernel_cols + 1 + threadsPerBlock.x - 1) / threadsPerBlock.x,
                       (input_rows - kernel_rows + 1 + threadsPerBlock.y - 1) / threadsPerBlock.y);
    conv_valid<<<blocksPerGrid, threadsPerBlock>>>(input, kernel, output, input_rows, input_cols, kernel_rows,
                                                   kernel_cols);
    cudaDeviceSynchronize();
}
