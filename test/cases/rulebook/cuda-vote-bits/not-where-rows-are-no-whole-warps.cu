//@case {"kernel": "board", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["cells", "next", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void board(const int* cells, unsigned* next, int n) {
    int i = blockIdx.x * 48 + threadIdx.x;
    if (cells[i] > 0) atomicOr(&next[i >> 5], 1u << (i & 31)); //@ globalAtomics=128 globalAtomicPasses=1000
}
void launch(const int* cells, unsigned* next, int n) { board<<<n / 48, 48>>>(cells, next, n); }
