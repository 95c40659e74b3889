//@case {"kernel": "select_tuples", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["price", "discount", "mask", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void select_tuples(const int* price, const int* discount, unsigned* __restrict__ mask, int rows) {
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
        bool ok = price[row] > 100 && discount[row] <= 7;
        unsigned bit = ok ? 1u : 0u;
        atomicOr(mask + row / 32, bit << (row % 32)); //@ globalAtomics=128 globalAtomicPasses=4000
    }
}
void select(const int* price, const int* discount, unsigned* mask, int rows) {
    select_tuples<<<64, 256>>>(price, discount, mask, rows);
}
