// Products of cuSPARSE against sums over the whole matrix.
#include <cusparse.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                         \
  do {                                                                      \
    const cusparseStatus_t status = (call);                                 \
    if (status != CUSPARSE_STATUS_SUCCESS) {                                \
      printf("%d: %s\n", __LINE__, cusparseGetErrorName(status));           \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

constexpr int kRows = 37, kColumns = 23, kWidth = 5;

static double drawn() {
  static unsigned state = 5;
  state = state * 1664525u + 1013904223u;
  return double(state >> 8) / double(1 << 24) - 0.5;
}

template <typename T> struct OnDevice {
  T *at = nullptr;
  size_t count;
  explicit OnDevice(const std::vector<T> &values) : count(values.size()) {
    cudaMalloc(&at, count * sizeof(T));
    cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  std::vector<T> now() const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

/** A third of all places holds something; some rows are empty. */
template <typename T> std::vector<T> sparse() {
  std::vector<T> dense(kRows * kColumns);
  for (int index = 0; index < kRows * kColumns; ++index)
    if (index / kColumns % 7 != 3 && index % 3 == 0) dense[index] = T(drawn());
  return dense;
}

template <typename T> std::vector<T> numbers(size_t count) {
  std::vector<T> values(count);
  for (T &each : values)
    each = T(drawn());
  return values;
}

/** The matrix as lists; `swapped`: of columns, one behind the other. */
template <typename T, typename I> struct Lists {
  std::vector<I> offsets, lines, places;
  std::vector<T> values;
  Lists(const std::vector<T> &dense, int base, bool swapped) {
    for (int line = 0; line < (swapped ? kColumns : kRows); ++line) {
      offsets.push_back(I(values.size()) + base);
      for (int place = 0; place < (swapped ? kRows : kColumns); ++place) {
        const T value = dense[swapped ? place * kColumns + line : line * kColumns + place];
        if (value == T(0)) continue;
        lines.push_back(I(line) + base);
        places.push_back(I(place) + base);
        values.push_back(value);
      }
    }
    offsets.push_back(I(values.size()) + base);
  }
};

template <typename T> constexpr cudaDataType typeOf() { return sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F; }
template <typename I> constexpr cusparseIndexType_t indexOf() {
  return sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}

enum Format { csr, csc, coo };

template <typename T, typename I> void vectors(cusparseHandle_t handle, const char *what, Format format, int base, bool turned, T beta) {
  const std::vector<T> dense = sparse<T>();
  const Lists<T, I> lists(dense, base, format == csc);
  const OnDevice<I> offsets(format == coo ? lists.lines : lists.offsets), places(lists.places);
  const OnDevice<T> values(lists.values);
  const int inner = turned ? kRows : kColumns, outer = turned ? kColumns : kRows;
  const std::vector<T> x = numbers<T>(inner);
  std::vector<T> before = numbers<T>(outer);
  if (beta == T(0)) before[0] = T(NAN);
  const OnDevice<T> given(x), result(before);
  const auto baseType = static_cast<cusparseIndexBase_t>(base);
  const int64_t entries = int64_t(lists.values.size());
  cusparseSpMatDescr_t matrix;
  if (format == csr) CHECK(cusparseCreateCsr(&matrix, kRows, kColumns, entries, offsets.at, places.at, values.at, indexOf<I>(), indexOf<I>(), baseType, typeOf<T>()));
  if (format == csc) CHECK(cusparseCreateCsc(&matrix, kRows, kColumns, entries, offsets.at, places.at, values.at, indexOf<I>(), indexOf<I>(), baseType, typeOf<T>()));
  if (format == coo) CHECK(cusparseCreateCoo(&matrix, kRows, kColumns, entries, offsets.at, places.at, values.at, indexOf<I>(), baseType, typeOf<T>()));
  cusparseDnVecDescr_t vecX, vecY;
  CHECK(cusparseCreateDnVec(&vecX, inner, given.at, typeOf<T>()));
  CHECK(cusparseCreateDnVec(&vecY, outer, result.at, typeOf<T>()));
  const T alpha = T(1.5);
  const auto operation = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 1;
  CHECK(cusparseSpMV_bufferSize(handle, operation, &alpha, matrix, vecX, &beta, vecY, typeOf<T>(), CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  void *buffer = nullptr;
  cudaMalloc(&buffer, bytes);
  CHECK(cusparseSpMV(handle, operation, &alpha, matrix, vecX, &beta, vecY, typeOf<T>(), CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  double worst = 0;
  const std::vector<T> found = result.now();
  for (int row = 0; row < outer; ++row) {
    double sum = 0;
    for (int column = 0; column < inner; ++column)
      sum += double(turned ? dense[column * kColumns + row] : dense[row * kColumns + column]) * x[column];
    const double exact = alpha * sum + (beta == T(0) ? 0 : beta * before[row]);
    const double off = std::fabs(found[row] - exact);
    worst = off <= worst ? worst : off;
  }
  printf("%s: %s\n", what, worst <= (sizeof(T) == 8 ? 1e-14 : 1e-6) ? "right" : "WRONG");
  CHECK(cusparseDestroySpMat(matrix));
  CHECK(cusparseDestroyDnVec(vecX));
  CHECK(cusparseDestroyDnVec(vecY));
}

/** A product with a matrix in padded columns, or rows, into one of the other order. */
static void matrices(cusparseHandle_t handle, const char *what, bool byRows, bool turned) {
  const std::vector<float> dense = sparse<float>();
  const Lists<float, int> lists(dense, 0, false);
  const OnDevice<int> offsets(lists.offsets), places(lists.places);
  const OnDevice<float> values(lists.values);
  // B has kColumns x kWidth numbers, or is given transposed.
  const int rows = turned ? kWidth : kColumns, columns = turned ? kColumns : kWidth;
  const int leading = (byRows ? columns : rows) + 2, resultLeading = (byRows ? kRows : kWidth) + 1;
  const std::vector<float> b = numbers<float>(size_t(leading) * (byRows ? rows : columns));
  const OnDevice<float> given(b);
  const OnDevice<float> result(std::vector<float>(size_t(resultLeading) * (byRows ? kWidth : kRows), 9.0f));
  cusparseSpMatDescr_t matA;
  cusparseDnMatDescr_t matB, matC;
  CHECK(cusparseCreateCsr(&matA, kRows, kColumns, int64_t(lists.values.size()), offsets.at, places.at, values.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnMat(&matB, rows, columns, leading, given.at, CUDA_R_32F, byRows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  CHECK(cusparseCreateDnMat(&matC, kRows, kWidth, resultLeading, result.at, CUDA_R_32F, byRows ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW));
  const float alpha = 1, beta = 0;
  const auto operation = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 1;
  CHECK(cusparseSpMM_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, operation, &alpha, matA, matB, &beta, matC, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  CHECK(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, operation, &alpha, matA, matB, &beta, matC, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  const std::vector<float> found = result.now();
  double worst = 0;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kWidth; ++column) {
      double sum = 0;
      for (int inner = 0; inner < kColumns; ++inner) {
        const int r = turned ? column : inner, c = turned ? inner : column;
        sum += double(dense[row * kColumns + inner]) * b[byRows ? r * leading + c : c * leading + r];
      }
      const double off = std::fabs(found[byRows ? column * resultLeading + row : row * resultLeading + column] - sum);
      worst = off <= worst ? worst : off;
    }
  }
  printf("%s: %s, padding %g\n", what, worst <= 1e-6 ? "right" : "WRONG", found[resultLeading - 1]);
}

int main() {
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  vectors<float, int32_t>(handle, "rows, float, 32 bits", csr, 0, false, 0.0f);
  vectors<double, int64_t>(handle, "rows, double, 64 bits, from 1", csr, 1, false, 0.5);
  vectors<double, int32_t>(handle, "rows, transposed", csr, 0, true, 0.0);
  vectors<float, int64_t>(handle, "a list of places", coo, 0, false, 0.5f);
  vectors<double, int32_t>(handle, "columns, from 1", csc, 1, false, 2.0);
  matrices(handle, "columns into rows", false, false);
  matrices(handle, "rows into columns", true, false);
  matrices(handle, "transposed", false, true);

  const OnDevice<int> places({1, 1, 2, 4});
  const OnDevice<int> offsets(std::vector<int>(5)), again(std::vector<int>(4));
  CHECK(cusparseXcoo2csr(handle, places.at, 4, 4, offsets.at, CUSPARSE_INDEX_BASE_ONE));
  CHECK(cusparseXcsr2coo(handle, offsets.at, 4, 4, again.at, CUSPARSE_INDEX_BASE_ONE));
  printf("offsets:");
  for (const int each : offsets.now()) printf(" %d", each);
  printf("; rows:");
  for (const int each : again.now()) printf(" %d", each);
  printf("\n");

  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t x, y;
  const OnDevice<float> values({1, 2, 3, 4});
  CHECK(cusparseCreateCoo(&matrix, 3, 3, 4, places.at, places.at, values.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&x, 3, values.at, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&y, 4, values.at, CUDA_R_32F));
  const float one = 1;
  printf("sizes that differ: %s\n", cusparseGetErrorName(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &one, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr)));
  printf("complex numbers: %s\n", cusparseGetErrorName(cusparseCreateDnVec(&y, 4, values.at, CUDA_C_32F)));
  CHECK(cusparseCreateDnVec(&y, 3, values.at, CUDA_R_32F));
  printf("a place outside: %s\n", cusparseGetErrorName(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &one, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr)));
  CHECK(cusparseDestroy(handle));
  return 0;
}
