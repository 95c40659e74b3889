//@case {"kernel": "settle", "rules": ["cuda-swap-thread-axes"], "spec": {"entry": {"call": "layers-first.cu::settle_once", "arguments": ["dust", "next", {"value": "columns", "dtype": "int32"}, {"value": "rows", "dtype": "int32"}, {"value": "layers", "dtype": "int32"}]}, "inputs": {"dust": {"dtype": "float32", "shape": ["layers", "rows", "columns"]}}, "outputs": {"next": {"dtype": "float32", "shape": ["layers", "rows", "columns"]}}, "shapes": [{"sizes": {"layers": 29, "rows": 13, "columns": 64}}, {"sizes": {"layers": 29, "rows": 13, "columns": 37}}], "reference": "baseline"}}
__global__ void settle(const float *dust, float *next, int columns, int rows, int layers)
{
    int l = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z;
    if (l < layers && r < rows) {
        float here = dust[(l * rows + r) * columns + c];
        float above = l + 1 < layers ? dust[((l + 1) * rows + r) * columns + c] : 0.0f;
        next[(l * rows + r) * columns + c] = here + 0.25f * (above - here);
    }
}

void settle_once(const float *dust, float *next, int columns, int rows, int layers)
{
    dim3 threads(32, 4);
    dim3 blocks((layers + 31) / 32, (rows + 3) / 4, columns);
    settle<<<blocks, threads>>>(dust, next, columns, rows, layers);
}
