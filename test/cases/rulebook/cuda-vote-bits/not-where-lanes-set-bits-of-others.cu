//@case {"kernel": "visit", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["edges", "seen", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void visit(const int* edges, unsigned* seen, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = edges[i];
    atomicOr(&seen[v >> 5], 1u << (v & 31)); //@ globalAtomics=128 globalAtomicPasses=1000
}
void launch(const int* edges, unsigned* seen, int n) { visit<<<(n + 255) / 256, 256>>>(edges, seen, n); }
