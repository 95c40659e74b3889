__global__ void conv1d_k(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < input_size - kernel_size + 1) {
        output[i] = 0.0f;
        for (int j = 0; j < kernel_size; j++) {
            output[i] += input[i + j] * kernel[j];
        }
    }
}
void solve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
    int output_size = input_size - kernel_size + 1;
    int threadsPerBlock = 256;
    int blocksPerGrid = (output_size + threadsPerBlock - 1) / threadsPerBlock;
    conv1d_k<<<blocksPerGrid, threadsPerBlock>>>(input, kernel, output, input_size, kernel_size);
}
