// stream compaction offsets: rank of each kept row inside its block
__global__ void compact_ranks(const int *keep, int *rank, int *block_count, int n)
{
    extern __shared__ int temp[];
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    temp[threadIdx.x] = (gid < n && keep[gid] > 0) ? 1 : 0;
    for (unsigned int stride = 1; stride < blockDim.x; stride <<= 1) {
        __syncthreads();
        int add = threadIdx.x >= stride ? temp[threadIdx.x - stride] : 0;
        __syncthreads();
        temp[threadIdx.x] += add;
    }
    __syncthreads();
    if (gid < n) rank[gid] = temp[threadIdx.x] - (keep[gid] > 0 ? 1 : 0);
    if (threadIdx.x == blockDim.x - 1) block_count[blockIdx.x] = temp[threadIdx.x];
}
void launch_compact_ranks(const int *keep, int *rank, int *block_count, int n)
{
    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    compact_ranks<<<blocks, threads, threads * sizeof(int)>>>(keep, rank, block_count, n);
}
