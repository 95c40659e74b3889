// Offsets of variable-length records inside each page (exclusive scan of lengths), one page a block.
#include <cuda_runtime.h>
#define PAGE 512

__global__ void page_offsets(const int *len, int *offset, int *page_total, int n)
{
    __shared__ int s[PAGE];
    int base = blockIdx.x * PAGE;
    int i = base + threadIdx.x;
    s[threadIdx.x] = (i < n) ? len[i] : 0;
    __syncthreads();

    if (threadIdx.x == 0) {
        int running = 0;
        for (int k = 0; k < PAGE; k++) {
            int v = s[k];
            s[k] = running;
            running += v;
        }
        page_total[blockIdx.x] = running;
    }
    __syncthreads();
    if (i < n) offset[i] = s[threadIdx.x];
}

void launch_page_offsets(const int *len, int *offset, int *page_total, int n)
{
    int pages = (n + PAGE - 1) / PAGE;
    page_offsets<<<pages, PAGE>>>(len, offset, page_total, n);
}
