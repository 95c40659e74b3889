//@case {"kernel": "claim", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["want", "seen", "mine", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void claim(const int* want, unsigned* seen, int* mine, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || want[i] == 0) return;
    unsigned old = atomicOr(&seen[i >> 5], 1u << (i & 31)); //@ globalAtomics=128 globalAtomicPasses=1000
    mine[i] = (old >> (i & 31)) & 1;
}
void launch(const int* want, unsigned* seen, int* mine, int n) { claim<<<(n + 255) / 256, 256>>>(want, seen, mine, n); }
