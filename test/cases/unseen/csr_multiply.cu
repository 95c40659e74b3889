// y = alpha * A x + beta * y for a matrix in compressed rows.
#include <cstdio>
#include <random>
#include <vector>
#include <cuda_runtime.h>

template <typename Index, typename Value>
struct csr_view {
  Index rows;
  const Index* row_ptr;
  const Index* col_ind;
  const Value* val;
};

template <typename Index, typename Value>
__global__ void csr_mv(csr_view<Index, Value> A, const Value* __restrict__ x, Value alpha, Value beta,
                       Value* __restrict__ y)
{
  const Index row = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < A.rows) {
    Value dot = Value(0);
    for (Index k = A.row_ptr[row]; k < A.row_ptr[row + 1]; ++k)
      dot += A.val[k] * x[A.col_ind[k]];
    y[row] = alpha * dot + beta * y[row];
  }
}

template <typename Index, typename Value>
void multiply(const csr_view<Index, Value>& A, const Value* x, Value alpha, Value beta, Value* y)
{
  const unsigned block = 256;
  const unsigned grid = (A.rows + block - 1) / block;
  csr_mv<<<grid, block>>>(A, x, alpha, beta, y);
}

template <typename T>
T* upload(const std::vector<T>& v)
{
  T* p = nullptr;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main()
{
  const int n = 6000;
  std::mt19937 gen(3);
  std::uniform_real_distribution<float> value(-1.f, 1.f);
  std::uniform_int_distribution<int> extra(48, 80);
  std::vector<int> row_ptr{0}, col_ind;
  std::vector<float> val;
  for (int i = 0; i < n; ++i) {
    const int nnz = extra(gen);
    const int first = std::max(0, std::min(n - 3 * nnz, i - nnz));
    for (int k = 0; k < nnz; ++k) {
      col_ind.push_back(first + 3 * k);
      val.push_back(value(gen));
    }
    row_ptr.push_back(static_cast<int>(col_ind.size()));
  }
  std::vector<float> x(n), y(n);
  for (float& e : x) e = value(gen);
  for (float& e : y) e = value(gen);

  csr_view<int, float> A{n, upload(row_ptr), upload(col_ind), upload(val)};
  float* dx = upload(x);
  float* dy = upload(y);
  multiply(A, dx, 1.5f, 0.5f, dy);
  cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
  double norm = 0;
  for (float e : y) norm += double(e) * e;
  std::printf("|y|^2 = %.5f\n", norm);
  return 0;
}
