//@case {"kernel": "features", "rules": ["cuda-all-digits", "cuda-keep-stored-element"], "spec": {"entry": {"call": "parts-of-a-number.cu::make_features", "arguments": ["x", "made", {"value": "n", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"made": {"dtype": "float32", "shape": ["n", 5]}}, "shapes": [{"sizes": {"n": 4096}}, {"sizes": {"n": 333}}], "reference": "baseline"}}
__global__ void features(const float *x, float *made, int total)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= total)
        return;
    float v = x[k / 5];
    switch (k % 5) {
    case 0: made[k] = v; break;
    case 1: made[k] = v * v - 1.0f; break;
    case 2: made[k] = v * (v * v - 3.0f); break;
    case 3: made[k] = fabsf(v); break;
    default: made[k] = 1.0f + 0.5f * v; break;
    }
}

void make_features(const float *x, float *made, int n)
{
    int total = n * 5;
    features<<<(total + 255) / 256, 256>>>(x, made, total);
}
