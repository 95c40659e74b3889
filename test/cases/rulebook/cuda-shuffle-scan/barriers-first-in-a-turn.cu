//@case {"kernel": "compact_ranks", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["keep", "rank", "block_count", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void compact_ranks(const int *keep, int *rank, int *block_count, int n)
{
    extern __shared__ int temp[];
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    temp[threadIdx.x] = (gid < n && keep[gid] > 0) ? 1 : 0;
    for (unsigned int stride = 1; stride < blockDim.x; stride <<= 1) { //@ instructions=9000
        __syncthreads(); //@ barriers=1152
        int add = threadIdx.x >= stride ? temp[threadIdx.x - stride] : 0; //@ instructions=9000
        __syncthreads(); //@ barriers=1152
        temp[threadIdx.x] += add; //@ instructions=9000
    }
    __syncthreads();
    if (gid < n) rank[gid] = temp[threadIdx.x] - (keep[gid] > 0 ? 1 : 0);
    if (threadIdx.x == blockDim.x - 1) block_count[blockIdx.x] = temp[threadIdx.x];
}
void launch_compact_ranks(const int *keep, int *rank, int *block_count, int n)
{
    compact_ranks<<<(n + 255) / 256, 256, 256 * sizeof(int)>>>(keep, rank, block_count, n);
}
