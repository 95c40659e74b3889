//@case {"kernel": "saxpy", "rules": ["cuda-vectorize-threads"], "spec": {"launch": {"arguments": [{"value": "n", "dtype": "int32"}, {"value": 2, "dtype": "float32"}, "x", "y"]}, "inputs": {"x": {"dtype": "float32", "shape": ["n"]}, "y": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"y": "2 * x + y"}}}}
__global__ void saxpy(int n, float a, float* x, float* y)
{
    int tid = threadIdx.x + blockDim.x * blockIdx.x;
    if (tid < n)
        y[tid] = a * x[tid] + y[tid];
}

void run(int n, float a, float* x, float* y)
{
    dim3 block, grid;
    block.x = 256;
    grid.x = (n + block.x - 1) / block.x;
    saxpy<<<grid, block>>>(n, a, x, y);
}
