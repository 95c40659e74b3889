//@case {"kernel": "life", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["cells", "next", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void life(const unsigned char* cells, unsigned* next, int w) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w) return;
    const int words = (w + 31) / 32;
    const unsigned mark = 1u << (threadIdx.x & 31);
    if (cells[y * w + x] == 3)
        atomicOr(next + y * words + (x >> 5), mark); //@ globalAtomics=128 globalAtomicPasses=1000
}
void launch(const unsigned char* cells, unsigned* next, int w) {
    life<<<dim3((w + 31) / 32, w / 8), dim3(32, 8)>>>(cells, next, w);
}
