template <class Scalar>
__global__ void find_max(Scalar const* m, Scalar* best, int n_rows, int n_cols)
{
    int const me = threadIdx.x + blockDim.x * blockIdx.x;
    if (me < n_rows)
    {
        Scalar const* p = m + me * n_cols;
        Scalar const* const last = p + n_cols;
        Scalar top = *p++;
        while (p != last)
        {
            top = (*p > top) ? *p : top;
            ++p;
        }
        best[me] = top;
    }
}

void row_maxima(float const* m, float* best, int n_rows, int n_cols)
{
    find_max<float><<<(n_rows - 1) / 64 + 1, 64>>>(m, best, n_rows, n_cols);
}
