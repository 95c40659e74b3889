//@case {"kernel": "rows"}
template <class Scalar>
__global__ void rows(Scalar const* m, float* best, float* norms, int n_rows, int n_cols) {
  const int me = threadIdx.x + blockDim.x * blockIdx.x;
  if (me < n_rows) {
    Scalar const* p = m + me * n_cols;
    Scalar const* const last = p + n_cols;
    Scalar top = *p++;
    while (p != last) {
      top = (*p > top) ? *p : top;
      ++p;
    }
    best[me] = top;
    const Scalar *q = m + me * n_cols, *end = m + me * n_cols + n_cols;
    Scalar sum = 0;
    while (q < end) sum += *q++ * 2;
    norms += me;
    float total = 0.f, term,
    * col;
    col = norms;
    for (const Scalar* r = m + me * n_cols; r < m + me * n_cols + n_cols; r += 2) total += r[0] * r[1];
    for (int i = 0; i < n_cols; i++) {
      term = m[me * n_cols + i];
      term *= term;
      total += term;
    }
    *col = sum + total;
  }
}
