// Moments of the columns of a table: sums, squares and the extremes, kept where they are wanted.
class ColumnMoments {
public:
    float *sum;
    float *sum2;
    float *low;
    float *high;
};

__global__ void columnMoments(const float *table, size_t rows, unsigned cols, ColumnMoments m)
{
    const unsigned c = blockDim.x * blockIdx.x + threadIdx.x;
    if (c >= cols) return;
    m.sum[c] = 0.f;
    m.sum2[c] = 0.f;
    m.low[c] = table[c];
    m.high[c] = table[c];
    for (size_t r = 0; r < rows; r++) {
        const float v = table[r * cols + c];
        m.sum[c] += v;
        m.sum2[c] += v * v;
        m.low[c] = min(m.low[c], v);
        if (v > m.high[c]) m.high[c] = v;
    }
}

void momentsOf(const float *table, size_t rows, unsigned cols, float *sum, float *sum2, float *low, float *high)
{
    ColumnMoments m;
    m.sum = sum;
    m.sum2 = sum2;
    m.low = low;
    m.high = high;
    columnMoments<<<(cols + 63) / 64, 64>>>(table, rows, cols, m);
}
