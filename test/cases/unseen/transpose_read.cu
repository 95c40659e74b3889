#define EDGE 32
#define STEP 8
__global__ void transposeNaive(float *to, const float *from, int wide, int high)
{
    int column = blockIdx.x * EDGE + threadIdx.x;
    int row = blockIdx.y * EDGE + threadIdx.y;

    for (int k = 0; k < EDGE; k += STEP)
        if (column < wide && row + k < high)
            to[column * high + row + k] = from[(row + k) * wide + column];
}
void transpose(float *to, const float *from, int wide, int high)
{
    dim3 blocks((wide + EDGE - 1) / EDGE, (high + EDGE - 1) / EDGE);
    transposeNaive<<<blocks, dim3(EDGE, STEP)>>>(to, from, wide, high);
}
