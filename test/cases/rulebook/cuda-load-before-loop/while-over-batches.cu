//@case {"kernel": "shift", "launches": [{"kernel": "shift", "blocks": 8, "threadsPerBlock": 64, "times": 1}]}
struct Table { const float *offset; };
__global__ void shift(Table t, float *y, int batches, int width)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, b = 0;
    while (b < batches) {
        y[b * width + c] += t.offset[c];  //@ globalLoadRequests=400 globalStoreRequests=200
        b++;
    }
}
