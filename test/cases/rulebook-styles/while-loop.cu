//@case {"kernel": "add", "rules": ["cuda-vectorize-threads"], "spec": {"launch": {"arguments": ["a", "b", "c", {"value": "n", "dtype": "int32"}]}, "inputs": {"a": {"dtype": "float32", "shape": ["n"]}, "b": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"c": {"dtype": "float32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"c": "a + b"}}}}
__global__ void add(float *a, float *b, float *c, int n) {
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    while (tid < n) {
        c[tid] = a[tid] + b[tid];
        tid += blockDim.x * gridDim.x;
    }
}

void run(float *a, float *b, float *c, int n) {
    add<<<8, 128>>>(a, b, c, n);
}
