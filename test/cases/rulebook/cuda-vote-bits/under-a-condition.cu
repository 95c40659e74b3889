//@case {"kernel": "build_bitmap", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["values", "bits", {"value": 0, "dtype": "float32"}, {"value": 1, "dtype": "float32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void build_bitmap(const float* values, unsigned int* bits, float lo, float hi, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (values[i] >= lo && values[i] < hi)
        atomicOr(&bits[i >> 5], 1u << (i & 31)); //@ globalAtomics=128 globalAtomicPasses=2000
}
void launch(const float* values, unsigned int* bits, float lo, float hi, int n) {
    build_bitmap<<<(n + 255) / 256, 256>>>(values, bits, lo, hi, n);
}
