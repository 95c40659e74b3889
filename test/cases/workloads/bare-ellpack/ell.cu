// ELLPACK by value: `slots` entries a row, column by column
struct Ell {
    const float *weight;
    int rows;
    int slots;
};

__global__ void ell_row_sums(Ell m, double *sums)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < m.rows) {
        double total = 0;
        for (int s = 0; s < m.slots; s++)
            total += m.weight[(size_t)s * m.rows + r];
        sums[r] = total;
    }
}
