// Systems, factors, conversions and sparse results of cuSPARSE against the same on whole matrices.
#include <cusparse.h>

#include <cmath>
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

constexpr int kSize = 19, kWidth = 4;
constexpr auto kIndex = CUSPARSE_INDEX_32I;
constexpr auto kZero = CUSPARSE_INDEX_BASE_ZERO;
using Numbers = std::vector<double>;

static double drawn() {
  static unsigned state = 11;
  state = state * 1664525u + 1013904223u;
  return double(state >> 8) / double(1 << 24) - 0.5;
}

template <typename T> struct OnDevice {
  T *at = nullptr;
  size_t count;
  explicit OnDevice(const std::vector<T> &values) : count(values.size()) {
    cudaMalloc(&at, (count + 1) * sizeof(T));
    cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  explicit OnDevice(size_t size) : OnDevice(std::vector<T>(size)) {}
  std::vector<T> now() const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

static Numbers numbers(int count) {
  Numbers values;
  for (int index = 0; index < count; ++index) values.push_back(drawn());
  return values;
}

/** A matrix whose diagonal is far from zero, with a third of all other places or the two beside it. */
static Numbers matrix(bool isBand) {
  Numbers dense(kSize * kSize);
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column) {
      const bool isThere = isBand ? std::abs(row - column) <= 1 : (row * 5 + column * 3) % 3 == 0;
      if (row == column || isThere) dense[row * kSize + column] = drawn() + (row == column ? 3 : 0);
    }
  return dense;
}

struct Rows {
  std::vector<int> offsets{0}, columns;
  Numbers values;
  explicit Rows(const Numbers &dense) {
    for (size_t index = 0; index < dense.size(); ++index) {
      if (dense[index] != 0) {
        columns.push_back(int(index % kSize));
        values.push_back(dense[index]);
      }
      if (index % kSize == kSize - 1) offsets.push_back(int(values.size()));
    }
  }
  Numbers dense() const {
    Numbers made(kSize * kSize);
    for (int row = 0; row < kSize; ++row)
      for (int entry = offsets[row]; entry < offsets[row + 1]; ++entry) made[row * kSize + columns[entry]] += values[entry];
    return made;
  }
};

struct Sparse {
  OnDevice<int> offsets, columns;
  OnDevice<double> values;
  cusparseSpMatDescr_t matrix;
  explicit Sparse(const Rows &rows) : offsets(rows.offsets), columns(rows.columns), values(rows.values) {
    CHECK(cusparseCreateCsr(&matrix, kSize, kSize, int64_t(values.count), offsets.at, columns.at, values.at, kIndex, kIndex, kZero, CUDA_R_64F));
  }
};

static void tell(const char *what, const Numbers &found, const Numbers &wanted) {
  double worst = found.size() == wanted.size() ? 0 : 1;
  for (size_t index = 0; index < found.size() && worst < 1; ++index) worst = std::fmax(worst, std::fabs(found[index] - wanted[index]));
  printf("%s: %s\n", what, worst < 1e-11 ? "right" : "WRONG");
}

static Numbers product(const Numbers &a, const Numbers &b, int width) {
  Numbers made(kSize * width);
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < width; ++column)
      for (int inner = 0; inner < kSize; ++inner) made[row * width + column] += a[row * kSize + inner] * b[inner * width + column];
  return made;
}

/** The triangle that is solved with, as a whole matrix. */
static Numbers triangle(const Numbers &dense, bool isUpper, bool hasOnes, bool isTurned) {
  Numbers made(kSize * kSize);
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column) {
      if (row != column && (column > row) != isUpper) continue;
      made[isTurned ? column * kSize + row : row * kSize + column] = row == column && hasOnes ? 1 : dense[row * kSize + column];
    }
  return made;
}

static void solves(cusparseHandle_t handle, const char *what, bool isUpper, bool hasOnes, bool isTurned) {
  const Numbers dense = matrix(false), right = numbers(kSize * kWidth);
  Sparse a{Rows(dense)};
  cusparseFillMode_t fill = isUpper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = hasOnes ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  CHECK(cusparseSpMatSetAttribute(a.matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  CHECK(cusparseSpMatSetAttribute(a.matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  const OnDevice<double> b(right), c(size_t(kSize * kWidth)), y(size_t{kSize});
  const auto operation = isTurned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
  const double alpha = 2;
  size_t bytes = 1;
  cusparseDnMatDescr_t matB, matC;
  CHECK(cusparseCreateDnMat(&matB, kSize, kWidth, kWidth, b.at, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&matC, kSize, kWidth, kWidth, c.at, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  cusparseSpSMDescr_t wide;
  CHECK(cusparseSpSM_createDescr(&wide));
  CHECK(cusparseSpSM_bufferSize(handle, operation, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a.matrix, matB, matC, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, wide, &bytes));
  CHECK(cusparseSpSM_analysis(handle, operation, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a.matrix, matB, matC, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, wide, nullptr));
  CHECK(cusparseSpSM_solve(handle, operation, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a.matrix, matB, matC, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, wide));
  CHECK(cusparseSpSM_destroyDescr(wide));
  Numbers twice = right;
  for (double &each : twice) each *= 2;
  const Numbers whole = triangle(dense, isUpper, hasOnes, isTurned);
  tell(what, product(whole, c.now(), kWidth), twice);

  cusparseDnVecDescr_t vecX, vecY;
  CHECK(cusparseCreateDnVec(&vecX, kSize, b.at, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&vecY, kSize, y.at, CUDA_R_64F));
  cusparseSpSVDescr_t narrow;
  CHECK(cusparseSpSV_createDescr(&narrow));
  CHECK(cusparseSpSV_bufferSize(handle, operation, &alpha, a.matrix, vecX, vecY, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, narrow, &bytes));
  CHECK(cusparseSpSV_analysis(handle, operation, &alpha, a.matrix, vecX, vecY, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, narrow, nullptr));
  CHECK(cusparseSpSV_solve(handle, operation, &alpha, a.matrix, vecX, vecY, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, narrow));
  CHECK(cusparseSpSV_destroyDescr(narrow));
  tell("  a vector", product(whole, y.now(), 1), Numbers(twice.begin(), twice.begin() + kSize));
}

/** Of a band the incomplete factors are the whole ones. */
static void factors(cusparseHandle_t handle) {
  Numbers dense = matrix(true);
  cusparseMatDescr_t description;
  CHECK(cusparseCreateMatDescr(&description));
  int bytes = 0, pivot = 0;
  {
    const Sparse a{Rows(dense)};
    csrilu02Info_t info;
    CHECK(cusparseCreateCsrilu02Info(&info));
    CHECK(cusparseDcsrilu02_bufferSize(handle, kSize, int(a.values.count), description, a.values.at, a.offsets.at, a.columns.at, info, &bytes));
    CHECK(cusparseDcsrilu02_analysis(handle, kSize, int(a.values.count), description, a.values.at, a.offsets.at, a.columns.at, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
    CHECK(cusparseDcsrilu02(handle, kSize, int(a.values.count), description, a.values.at, a.offsets.at, a.columns.at, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
    CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &pivot));
    Rows made(dense);
    made.values = a.values.now();
    const Numbers both = made.dense();
    tell("lower and upper factor", product(triangle(both, false, true, false), triangle(both, true, false, false), kSize), dense);
    Rows singular(dense);
    singular.values[0] = 0;
    const Sparse s(singular);
    CHECK(cusparseDcsrilu02(handle, kSize, int(s.values.count), description, s.values.at, s.offsets.at, s.columns.at, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
    const cusparseStatus_t told = cusparseXcsrilu02_zeroPivot(handle, info, &pivot);
    printf("a pivot of zero: %s in row %d\n", cusparseGetErrorName(told), pivot);
    CHECK(cusparseDestroyCsrilu02Info(info));
  }
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < row; ++column) dense[row * kSize + column] = dense[column * kSize + row];
  const Sparse a{Rows(dense)};
  csric02Info_t info;
  CHECK(cusparseCreateCsric02Info(&info));
  CHECK(cusparseDcsric02(handle, kSize, int(a.values.count), description, a.values.at, a.offsets.at, a.columns.at, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
  CHECK(cusparseXcsric02_zeroPivot(handle, info, &pivot));
  CHECK(cusparseDestroyCsric02Info(info));
  Rows made(dense);
  made.values = a.values.now();
  const Numbers root = made.dense();
  tell("root of a symmetric matrix", product(triangle(root, false, false, false), triangle(root, false, false, true), kSize), dense);
}

static void conversions(cusparseHandle_t handle) {
  const Numbers dense = matrix(false);
  const Rows rows(dense);
  const OnDevice<double> source(dense), back(dense.size());
  const OnDevice<int> offsets(size_t{kSize + 1});
  cusparseDnMatDescr_t matA, matB;
  CHECK(cusparseCreateDnMat(&matA, kSize, kSize, kSize, source.at, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&matB, kSize, kSize, kSize, back.at, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  cusparseSpMatDescr_t sparse;
  CHECK(cusparseCreateCsc(&sparse, kSize, kSize, 0, offsets.at, nullptr, nullptr, kIndex, kIndex, kZero, CUDA_R_64F));
  CHECK(cusparseDenseToSparse_analysis(handle, matA, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
  int64_t height, width, entries;
  CHECK(cusparseSpMatGetSize(sparse, &height, &width, &entries));
  const OnDevice<int> places{size_t(entries)};
  const OnDevice<double> values{size_t(entries)};
  CHECK(cusparseCscSetPointers(sparse, offsets.at, places.at, values.at));
  CHECK(cusparseDenseToSparse_convert(handle, matA, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
  CHECK(cusparseSparseToDense(handle, sparse, matB, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
  tell("dense to columns and back", back.now(), dense);

  const Sparse a(rows);
  const OnDevice<int> begins(size_t{kSize + 1}), lines(rows.columns.size());
  const OnDevice<double> turned(rows.values.size());
  CHECK(cusparseCsr2cscEx2(handle, kSize, kSize, int(rows.values.size()), a.values.at, a.offsets.at, a.columns.at, turned.at, begins.at, lines.at, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, kZero, CUSPARSE_CSR2CSC_ALG1, nullptr));
  printf("rows to columns: %s\n", begins.now() == offsets.now() && lines.now() == places.now() && turned.now() == values.now() ? "right" : "WRONG");

  // The matrix by rows is its transposed by columns.
  const OnDevice<int> each(size_t{kSize});
  int total = 0, sum = 0;
  CHECK(cusparseDnnz(handle, CUSPARSE_DIRECTION_COLUMN, kSize, kSize, nullptr, source.at, kSize, each.at, &total));
  for (int row = 0; row < kSize; ++row) sum += each.now()[row] == rows.offsets[row + 1] - rows.offsets[row];
  printf("numbers that are not zero: %s\n", total == int(rows.values.size()) && sum == kSize ? "right" : "WRONG");
}

static void sparseResults(cusparseHandle_t handle) {
  const Numbers left = matrix(false), right = matrix(true);
  const Sparse a{Rows(left)}, b{Rows(right)};
  const OnDevice<int> offsets(size_t{kSize + 1});
  cusparseSpMatDescr_t c;
  CHECK(cusparseCreateCsr(&c, kSize, kSize, 0, offsets.at, nullptr, nullptr, kIndex, kIndex, kZero, CUDA_R_64F));
  cusparseSpGEMMDescr_t made;
  CHECK(cusparseSpGEMM_createDescr(&made));
  const double one = 1, zero = 0, half = 0.5;
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 0;
  void *buffer = nullptr;
  CHECK(cusparseSpGEMM_workEstimation(handle, plain, plain, &one, a.matrix, b.matrix, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, made, &bytes, nullptr));
  cudaMalloc(&buffer, bytes);
  CHECK(cusparseSpGEMM_workEstimation(handle, plain, plain, &one, a.matrix, b.matrix, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, made, &bytes, buffer));
  CHECK(cusparseSpGEMM_compute(handle, plain, plain, &one, a.matrix, b.matrix, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, made, &bytes, nullptr));
  CHECK(cusparseSpGEMM_compute(handle, plain, plain, &one, a.matrix, b.matrix, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, made, &bytes, buffer));
  int64_t height, width, entries;
  CHECK(cusparseSpMatGetSize(c, &height, &width, &entries));
  const OnDevice<int> columns{size_t(entries)};
  const OnDevice<double> values{size_t(entries)};
  CHECK(cusparseCsrSetPointers(c, offsets.at, columns.at, values.at));
  CHECK(cusparseSpGEMM_copy(handle, plain, plain, &one, a.matrix, b.matrix, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, made));
  Rows found{Numbers(kSize * kSize)};
  found.offsets = offsets.now();
  found.columns = columns.now();
  found.values = values.now();
  tell("two sparse matrices", found.dense(), product(left, right, kSize));
  printf("with a result before: %s\n", cusparseGetErrorName(cusparseSpGEMM_copy(handle, plain, plain, &one, a.matrix, b.matrix, &half, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, made)));
  CHECK(cusparseSpGEMM_destroyDescr(made));

  const Numbers tall = numbers(kSize * kWidth), flat = numbers(kSize * kWidth);
  const OnDevice<double> x(tall), y(flat);
  const Sparse places{Rows(left)};
  cusparseDnMatDescr_t matX, matY;
  CHECK(cusparseCreateDnMat(&matX, kSize, kWidth, kWidth, x.at, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&matY, kSize, kWidth, kWidth, y.at, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseSDDMM(handle, plain, CUSPARSE_OPERATION_TRANSPOSE, &one, matX, matY, &half, places.matrix, CUDA_R_64F, CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
  Rows sampled(left);
  Numbers wanted(kSize * kSize);
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column) {
      if (left[row * kSize + column] == 0) continue;
      double sum = half * left[row * kSize + column];
      for (int inner = 0; inner < kWidth; ++inner) sum += tall[row * kWidth + inner] * flat[column * kWidth + inner];
      wanted[row * kSize + column] = sum;
    }
  sampled.values = places.values.now();
  tell("dense ones at its places", sampled.dense(), wanted);
}

static void vectors(cusparseHandle_t handle) {
  const OnDevice<int> places({1, 4, 5});
  const OnDevice<double> entries({10, 20, 30}), numbers({1, 2, 3, 4, 5, 6});
  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t y;
  CHECK(cusparseCreateSpVec(&x, 6, 3, places.at, entries.at, kIndex, kZero, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&y, 6, numbers.at, CUDA_R_64F));
  const double alpha = 2, beta = 0.5;
  double sum = 0;
  CHECK(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, &sum, CUDA_R_64F, nullptr));
  CHECK(cusparseAxpby(handle, &alpha, x, &beta, y));
  printf("vectors: %g;", sum);
  for (const double each : numbers.now()) printf(" %g", each);
  CHECK(cusparseGather(handle, y, x));
  for (const double each : entries.now()) printf(" %g", each);
  printf("\n");

  const OnDevice<int> offsets({0, 3, 5}), columns({4, 0, 2, 3, 1}), order(size_t{5});
  cusparseMatDescr_t description;
  CHECK(cusparseCreateMatDescr(&description));
  CHECK(cusparseCreateIdentityPermutation(handle, 5, order.at));
  CHECK(cusparseXcsrsort(handle, 2, 5, 5, description, offsets.at, columns.at, order.at, nullptr));
  printf("in order:");
  for (const int each : columns.now()) printf(" %d", each);
  printf(";");
  for (const int each : order.now()) printf(" %d", each);
  printf("\n");
}

int main() {
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  solves(handle, "the lower triangle", false, false, false);
  solves(handle, "the upper triangle, ones", true, true, false);
  solves(handle, "the lower triangle, transposed", false, false, true);
  solves(handle, "the upper triangle, transposed, ones", true, true, true);
  factors(handle);
  conversions(handle);
  sparseResults(handle);
  vectors(handle);
  CHECK(cusparseDestroy(handle));
  return 0;
}
